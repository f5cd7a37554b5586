-- apply/meets.sql: the new rows' values of one quasi-identifier that lie in each class's set.
--
-- in:      ppdt_reach (class_id, members_<c>); ppdt_code_<i> (code, value)
-- out:     ppdt_meets_<i> (class_id, code)
--          one row per class and value of it
WITH spread AS (
    SELECT class_id, unnest({{ reach.members | ident }}) AS member
    FROM ppdt_reach
)

SELECT spread.class_id, dictionary.code
FROM spread
INNER JOIN {{ reach.attribute.dictionary | ident }} AS dictionary
{% if reach.attribute.kind == "ordered" %}
    ON dictionary.value IS NOT DISTINCT FROM spread.member
{% else %}
    ON CAST(dictionary.value AS VARCHAR) COLLATE "binary" IS NOT DISTINCT FROM CAST(spread.member AS VARCHAR)
{% endif %};
