-- methods/tree_partition/place.sql: the values that a tree tests on a column, in the codes of the run.
--
-- in:      ppdt_code_<i> (code, value, shown, n_rows, n_steps, position)
-- out:     ppdt_place_<i> (tested, code, is_value)
--          one row per tested value
-- params:  $values, $places
-- keeps:   a threshold stands at the highest code not above it, or below all codes: `places` has it in the
--          column's type; a category that the column lacks has no code; is_value: whether the text is a
--          value of its type at all
WITH given AS (
    SELECT unnest(CAST($values AS VARCHAR[])) AS tested, unnest(CAST($places AS VARCHAR[])) AS place
)

SELECT
    given.tested,
{% if attribute.kind == "ordered" %}
    CAST(coalesce(max(dictionary.code), {{ (attribute.n_special - 1) | literal }}) AS INTEGER) AS code,
    bool_and(TRY_CAST(given.tested AS {{ tested_type }}) IS NOT NULL) AS is_value
{% else %}
    CAST(max(dictionary.code) AS INTEGER) AS code,
    TRUE AS is_value
{% endif %}
FROM given
LEFT JOIN {{ attribute.dictionary | ident }} AS dictionary
{% if attribute.kind == "ordered" %}
    ON dictionary.code >= {{ attribute.n_special | literal }}
    AND dictionary.value <= TRY_CAST(given.place AS {{ type_name }})
{% else %}
    ON CAST(dictionary.value AS VARCHAR) = given.tested COLLATE "binary"
{% endif %}
GROUP BY given.tested
ORDER BY given.tested ASC;
