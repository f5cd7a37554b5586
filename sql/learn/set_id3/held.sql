-- learn/set_id3/held.sql: which of a tree's sets every form of a column may be: that of exactly its members; where the
-- tree has none, all those that contain them.
--
-- in:      ppdt_read_<i> (shown, members, has_null)
-- out:     ppdt_held (shown, codes)
--          one row per form as it is shown
-- params:  $codes, $members
-- keeps:   0 is the missing value, 1 a form that no set of the tree contains; NULL may be a member; only forms
--          that are none of the tree's sets are compared with all of them
WITH known AS (
    SELECT unnest(CAST($codes AS INTEGER[])) AS code, unnest(CAST($members AS VARCHAR[])) AS member
),

form AS (
    SELECT row_number() OVER (ORDER BY shown ASC) AS form_id, shown, members, has_null
    FROM {{ feature.table | ident }}
),

same AS (
    SELECT form.form_id, size.code
    FROM form
    INNER JOIN (
        SELECT code, list(member ORDER BY member COLLATE "binary" ASC) FILTER (WHERE member IS NOT NULL) AS members,
            count(*) > count(member) AS has_null
        FROM known
        GROUP BY code
    ) AS size ON size.members = form.members AND size.has_null = form.has_null
),

asked AS (
    SELECT form_id, array_length(members) + CAST(has_null AS BIGINT) AS n_members,
        unnest(CASE WHEN has_null THEN list_append(members, NULL) ELSE members END) AS member
    FROM form
    ANTI JOIN same ON same.form_id = form.form_id
),

containing AS (
    SELECT asked.form_id, known.code
    FROM asked
    INNER JOIN known ON known.member IS NOT DISTINCT FROM asked.member COLLATE "binary"
    GROUP BY asked.form_id, known.code, asked.n_members
    HAVING count(*) = asked.n_members
),

listed AS (
    SELECT form_id, list(code ORDER BY code ASC) AS codes
    FROM (SELECT form_id, code FROM same UNION ALL SELECT form_id, code FROM containing) AS found
    GROUP BY form_id
)

SELECT
    form.shown,
    CASE WHEN form.members IS NULL THEN [0] ELSE coalesce(listed.codes, [1]) END AS codes
FROM form
LEFT JOIN listed ON listed.form_id = form.form_id;
