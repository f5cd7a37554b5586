-- label/special.sql: the words for the values of a class that lie in no range.
--
-- in:      ppdt_extent (special_<o>); ppdt_code_<i> (code, shown)
-- out:     ppdt_special_<i> (special, words)
--          one row per set of special values that occurs
SELECT
    occurring.special,
    string_agg(coalesce(dictionary.shown, 'NULL'), ' or ' ORDER BY dictionary.code ASC) AS words
FROM (
    SELECT DISTINCT {{ attribute.special }} AS special
    FROM ppdt_extent
) AS occurring
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
    ON dictionary.code < {{ attribute.n_special | literal }}
    AND (occurring.special >> dictionary.code) & 1 = 1
GROUP BY occurring.special;
