-- learn/kadet/level.sql: the codes of every level of the hierarchies: of values that one node holds, one code.
--
-- in:      ppdt_code_<i> (code, value); ppdt_value_words_<i> (leaf, word_<h>)
-- out:     ppdt_level (level_id, code, up_code, value)
--          one row per level and value
-- keeps:   a missing value stays by itself at every level, with code 0
{% for level in levels %}
SELECT
    CAST({{ level.attribute.position | literal }} AS INTEGER) AS level_id,
    CAST(dictionary.code AS INTEGER) AS code,
    CAST(CASE
        WHEN dictionary.value IS NULL THEN 0
        ELSE dense_rank() OVER (
            ORDER BY dictionary.value IS NULL ASC, value_words.{{ level.word | ident }} COLLATE "binary" ASC
        ) - {{ (0 if level.attribute.has_null else 1) | literal }}
    END AS INTEGER) AS up_code,
    CAST(dictionary.value AS VARCHAR) COLLATE "binary" AS value
FROM {{ level.base.dictionary | ident }} AS dictionary
LEFT JOIN {{ level.hierarchy | ident }} AS value_words
    ON value_words.leaf = {% with text = ("dictionary", "value") | ident, type_name = level.base.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary"
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
