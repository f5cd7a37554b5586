-- encode/bins/mdl_count.sql: how often each value goes with each class, for all columns; one part each to begin with.
--
-- in:      the source; ppdt_bin_value_<i> (code, value, n_counted)
-- out:     ppdt_mdl_count (attribute_id, part, code, target, weight, n_counted)
--          one row per (attribute_id, code, target) that occurs
-- keeps:   a weight counts millionths of a row; NULL, NaN and infinities are in no part; NULL is a class
-- paper:   Fayyad and Irani 1993
{% for attribute in attributes %}
SELECT
    {{ attribute.position | literal }} AS attribute_id,
    CAST(0 AS BIGINT) AS part,
    held.code,
    tally.target,
    CAST(tally.n_rows * 1000000 AS BIGINT) AS weight,
    held.n_counted
FROM (
    SELECT
        {%+ with table = "source" %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS value,
        {%+ with table = "source", attribute = goal %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS target,
        count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
) AS tally
INNER JOIN {{ attribute.bin_value_relation }} AS held ON held.value = tally.value
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
