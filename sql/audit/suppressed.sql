-- audit/suppressed.sql: how many cells of each quasi-identifier show nothing.
--
-- in:      ppdt_class (n_rows, g<i>)
-- out:     ppdt_suppressed (n_cells_<j>)
--          one row
SELECT
{% for column in columns %}
    CAST(coalesce(sum(n_rows) FILTER (WHERE {{ column | ident }} IS NULL), 0) AS BIGINT) AS {{ nth("n_cells", loop) }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_class;
