-- learn/knn/mismatch.sql: how often members drawn from two sets differ, for every pair of sets.
--
-- in:      ppdt_form_<i> (code, members, n_members)
-- out:     ppdt_mismatch_<i> (code, mismatches)
--          one row per set; mismatches has one number for each other set, by its code
-- keeps:   mismatches count millionths of a million; what is missing differs from everything
WITH pair AS (
    SELECT
        form.code,
        other.code AS other_code,
        CASE
            WHEN form.n_members = 0 OR other.n_members = 0 THEN 0
            ELSE len(list_intersect(form.members, other.members)) / (form.n_members * other.n_members)
        END AS match
    FROM {{ feature.form_relation }} AS form
    CROSS JOIN {{ feature.form_relation }} AS other
)

SELECT code, list(round((1 - match) * 1e12) ORDER BY other_code ASC) AS mismatches
FROM pair
GROUP BY code;
