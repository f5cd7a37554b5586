-- learn/set_id3/held.sql: which of a tree's sets every form of a column may be: that of exactly its members; where the
-- tree has none, all those that contain them.
--
-- in:      ppdt_read_<i> (shown, members, has_null)
-- out:     ppdt_held (shown, codes)
--          one row per form as it is shown
-- params:  $codes, $members
-- keeps:   0 is the missing value, 1 a form that no set of the tree contains; NULL may be a member
WITH known AS (
    SELECT unnest(CAST($codes AS INTEGER[])) AS code, unnest(CAST($members AS VARCHAR[])) AS member
),

form AS (
    SELECT row_number() OVER (ORDER BY shown ASC) AS form_id, shown, members, has_null
    FROM {{ feature.table | ident }}
),

asked AS (
    SELECT form_id, array_length(members) + CAST(has_null AS BIGINT) AS n_members, unnest(members) AS member
    FROM form
    UNION ALL
    SELECT form_id, array_length(members) + 1, NULL
    FROM form
    WHERE has_null AND members IS NOT NULL
),

containing AS (
    SELECT
        asked.form_id,
        known.code,
        asked.n_members = size.n_members AS is_same
    FROM asked
    INNER JOIN known ON known.member IS NOT DISTINCT FROM asked.member COLLATE "binary"
    INNER JOIN (SELECT code, count(*) AS n_members FROM known GROUP BY code) AS size
        ON size.code = known.code
    GROUP BY asked.form_id, known.code, asked.n_members, size.n_members
    HAVING count(*) = asked.n_members
),

listed AS (
    SELECT
        form_id,
        coalesce(
            list(code) FILTER (WHERE is_same),
            list(code ORDER BY code ASC)
        ) AS codes
    FROM containing
    GROUP BY form_id
)

SELECT
    form.shown,
    CASE WHEN form.members IS NULL THEN [0] ELSE coalesce(listed.codes, [1]) END AS codes
FROM form
LEFT JOIN listed ON listed.form_id = form.form_id;
