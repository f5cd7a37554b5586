-- learn/knn/form.sql: a code for every set of members of a nominal feature, among the known and the asked.
--
-- in:      ppdt_asked_row (set_<i>); the known rows (set_<i>)
-- out:     ppdt_form_<i> (code, members, n_members)
--          one row per set that occurs; NULL is one of them
WITH form AS (
    SELECT {{ feature.set }} AS members
    FROM ppdt_asked_row
    UNION
    SELECT {{ feature.set }} AS members
    FROM {{ known | ident }}
)

SELECT
    CAST(row_number() OVER (ORDER BY members ASC NULLS FIRST) AS INTEGER) AS code,
    members,
    coalesce(len(members), 0) AS n_members
FROM form;
