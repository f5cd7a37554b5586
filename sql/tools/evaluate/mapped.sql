-- tools/evaluate/mapped.sql: test rows as a global recoding shows them.
--
-- in:      ppdt_test; ppdt_map_<i> (value, label)
-- out:     ppdt_mapped (every column of the test rows)
--          one row per test row
-- keeps:   a value without a label is NULL
SELECT
{% for column in columns %}
    {%+ if column in maps %}{{ maps[column] | ident }}.label{% else %}test.{{ column | ident }}{% endif %} AS {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS test
{% for column, map in maps.items() %}
LEFT JOIN {{ map | ident }} AS {{ map | ident }} ON {{ map | ident }}.value IS NOT DISTINCT FROM test.{{ column | ident }}
{% endfor %};
