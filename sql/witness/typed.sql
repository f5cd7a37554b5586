-- witness/typed.sql: what a text file shows, in the types that the labels had.
--
-- in:      the release
-- out:     ppdt_typed (the released quasi-identifiers)
--          one row per released row
SELECT
{% for label in labels %}
    {% if label.as_json %}CAST(from_json(release.{{ label.released | ident }}, '["VARCHAR"]') AS {{ label.type_name }})
    {%- else %}CAST(release.{{ label.released | ident }} AS {{ label.type_name }}){% endif %} AS {{ label.released | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM {{ release }} AS release;
