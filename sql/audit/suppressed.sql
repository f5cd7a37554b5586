-- audit/suppressed.sql: how many cells of each quasi-identifier show nothing.
--
-- in:      ppdt_class (n_rows, g<i>)
-- out:     ppdt_suppressed (n_cells_<j>)
--          one row
SELECT
{% for column in columns %}
    CAST(coalesce(sum(n_rows) FILTER (WHERE {{ column | ident }} IS NULL), 0) AS BIGINT) AS {{ ("n_cells_%d" % loop.index0) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_class;
