-- inducer/place.sql: the values that a tree tests on a column, in the codes of the run.
--
-- in:      ppdt_code_<i> (code, value, shown, n_rows, unit, position)
-- out:     ppdt_place_<i> (tested, code)
--          one row per tested value
-- params:  $values
-- keeps:   a threshold stands at the highest code not above it, or below all codes; a category that
--          the column lacks has no code
WITH given AS (
    SELECT unnest(CAST($values AS VARCHAR[])) AS tested
)

SELECT
    given.tested,
{% if attribute.kind == "ordered" %}
    CAST(coalesce(max(dictionary.code), {{ (attribute.n_special - 1) | literal }}) AS INTEGER) AS code
{% else %}
    CAST(max(dictionary.code) AS INTEGER) AS code
{% endif %}
FROM given
LEFT JOIN {{ attribute.dictionary | ident }} AS dictionary
{% if attribute.kind == "ordered" %}
    ON dictionary.code >= {{ attribute.n_special | literal }}
    AND dictionary.value <= CAST(given.tested AS {{ type_name }})
{% else %}
    ON CAST(dictionary.value AS VARCHAR) = given.tested COLLATE "binary"
{% endif %}
GROUP BY given.tested
ORDER BY given.tested ASC;
