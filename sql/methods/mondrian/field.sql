-- methods/mondrian/field.sql: where the codes of each attribute lie in the words of a unit.
--
-- in:      nothing
-- out:     ppdt_field (attribute_id, word, shift, mask)
--          one row per attribute
SELECT attribute_id, word, shift, CAST(mask AS BIGINT) AS mask
FROM (
    VALUES
{% for word in words %}
{% set number = loop.index0 %}
{% set is_last_word = loop.last %}
{% for attribute in word.attributes %}
        ({{ attribute.position | literal }}, {{ number | literal }}, {{ attribute.shift | literal }}, {{ attribute.mask | literal }})
        {%- if not (is_last_word and loop.last) %},{% endif %}

{% endfor %}
{% endfor %}
) AS field (attribute_id, word, shift, mask);
