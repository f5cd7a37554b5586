-- encode/hierarchy/word.sql: every word that a hierarchy has for some values, as an interval of codes.
--
-- in:      ppdt_hierarchy_level (path_id, code, depth, words); ppdt_hierarchy_code (base_code, code); ppdt_code_<i> (code, value, shown)
-- out:     ppdt_word_<i> (words, first_code, last_code)
--          one row per word and interval; nodes over the same codes stay apart, as others may show either
SELECT
    level.words,
    min(place.code) AS first_code,
    max(place.code) AS last_code
FROM ppdt_hierarchy_level AS level
INNER JOIN ppdt_hierarchy_code AS place ON place.base_code = level.code
GROUP BY level.words
UNION
SELECT coalesce(shown, CAST(value AS VARCHAR)), code, code
FROM {{ attribute.dictionary | ident }};
