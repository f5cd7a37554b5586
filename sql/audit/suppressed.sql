-- audit/suppressed.sql: how many cells of each quasi-identifier are suppressed.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_domain_<i> (n_nulls)
-- out:     ppdt_suppressed (n_cells_<j>)
--          one row
-- keeps:   as many NULLs as the original holds are values
SELECT
{% for column in columns %}
    CAST(greatest(
        coalesce(sum(class.n_rows) FILTER (WHERE class.{{ column.group | ident }} IS NULL), 0)
        - coalesce((SELECT max(n_nulls) FROM {{ column.domain | ident }}), 0),
        0
    ) AS BIGINT) AS {{ nth("n_cells", loop) }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_class AS class;
