-- learn/generalized/form_member.sql: the members of every set of a nominal feature.
--
-- in:      ppdt_code_<i> (code, codes)
-- out:     ppdt_form_member_<i> (code, member, place, n_members)
--          one row per member of a distinct set of several
WITH held AS (
    SELECT DISTINCT code, codes
    FROM {{ feature.code_relation }}
    WHERE array_length(codes) > 1
)

SELECT
    code,
    unnest(codes) AS member,
    unnest(generate_series(1, array_length(codes))) AS place,
    array_length(codes) AS n_members
FROM held;
