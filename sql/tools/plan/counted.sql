-- tools/plan/counted.sql: how many rows, cells and values there are; above some size, about how many.
--
-- in:      the source
-- out:     ppdt_counted (n_rows, n_cells, n_values_<j>)
--          one row
-- keeps:   NULL is a value; where it is not exact, the cells are the mean of two counts that err on
--          their own, and the figures are fit for a plan only
WITH told AS (
    SELECT
{% if is_exact %}
        {%+ with table = "source", columns = quasi %}{% include "lib/fragments/row_text.sql" %}{% endwith %} AS cell,
{% else %}
        row({% for attribute in attributes %}source.{{ attribute.name | ident }}{{ comma(loop) }}{% endfor %}) AS cell,
{% endif %}
{% for attribute in attributes %}
        {%+ if is_exact %}{% with table = "source" %}{% include "lib/fragments/comparable.sql" %}{% endwith %}
        {%- else %}source.{{ attribute.name | ident }}{% endif %} AS {{ nth("value", loop) }}{{ comma(loop) }}
{% endfor %}
    FROM {{ source }} AS source
)

SELECT
    count(*) AS n_rows,
{% if is_exact %}
    count(DISTINCT cell) AS n_cells,
{% else %}
    CAST((approx_count_distinct(cell) + approx_count_distinct(row(1, cell))) / 2 AS BIGINT) AS n_cells,
{% endif %}
{% for attribute in attributes %}
    {% set value = ("value_%d" % loop.index0) -%}
    {%+ if is_exact %}count(DISTINCT {{ value | ident }}){% else %}approx_count_distinct({{ value | ident }}){% endif %}
    + coalesce(max(CASE WHEN {{ value | ident }} IS NULL THEN 1 ELSE 0 END), 0)
    {#- #} AS {{ nth("n_values", loop) }}{{ comma(loop) }}
{% endfor %}
FROM told;
