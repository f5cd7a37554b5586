-- utility/part_set.sql: the members of each label of a column of sets.
--
-- in:      the release
-- out:     ppdt_part (label_id, n_rows, lo_text, hi_text)
--          one row per (label, member); both ends NULL for the member NULL, and for no set at all
WITH shown AS (
    SELECT CAST(release.{{ column | ident }} AS VARCHAR[]) AS members, count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

numbered AS (
    SELECT row_number() OVER (ORDER BY members ASC NULLS FIRST) AS label_id, n_rows, members
    FROM shown
),

part AS (
    SELECT DISTINCT
        label_id,
        n_rows,
        unnest(CASE WHEN len(members) > 0 THEN members ELSE [CAST(NULL AS VARCHAR)] END) AS member
    FROM numbered
)

SELECT label_id, n_rows, member AS lo_text, member AS hi_text
FROM part;
