-- tools/bench/in_sets.sql: test rows as the rules of a release in sets show them; the others with sets of one.
--
-- in:      rows under their numbers; the same rows recoded, but those that no class covers
-- out:     ppdt_in_sets (the columns that are asked for)
--          one row per row
SELECT
{% for column, is_recoded in columns.items() %}
    {%+ if is_recoded %}CASE WHEN shown.{{ number | ident }} IS NULL THEN [source.{{ column | ident }}] ELSE shown.{{ column | ident }} END{% else %}source.{{ column | ident }}{% endif %} AS {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source
LEFT JOIN {{ recoded | ident }} AS shown ON shown.{{ number | ident }} = source.{{ number | ident }};
