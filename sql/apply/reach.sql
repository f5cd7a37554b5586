-- apply/reach.sql: the new rows' values of one quasi-identifier that lie in each class's range.
--
-- in:      ppdt_reach (class_id, low_<o>, high_<o>, words_<o>); ppdt_code_<i> (code, value, shown)
-- out:     ppdt_meets_<i> (class_id, code)
--          one row per class and value of it
SELECT class.class_id, dictionary.code
FROM ppdt_reach AS class
INNER JOIN {{ reach.attribute.dictionary | ident }} AS dictionary
    ON dictionary.value BETWEEN class.{{ reach.low | ident }} AND class.{{ reach.high | ident }}
WHERE dictionary.code >= {{ reach.attribute.n_special | literal }}
UNION ALL
SELECT class.class_id, dictionary.code
FROM ppdt_reach AS class
INNER JOIN {{ reach.attribute.dictionary | ident }} AS dictionary
    ON list_contains(string_split(class.{{ reach.words | ident }}, ' or '), coalesce(dictionary.shown, 'NULL'))
WHERE dictionary.code < {{ reach.attribute.n_special | literal }};
