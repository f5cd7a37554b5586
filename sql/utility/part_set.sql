-- utility/part_set.sql: the members of each label of a column of sets.
--
-- in:      the release
-- out:     ppdt_label_part (label_id, n_rows, lo_text, hi_text)
--          one row per (label, member); both ends NULL for the member NULL, and for no set at all
WITH shown AS (
    SELECT {% if is_list %}release.{{ column | ident }}{% else %}CAST(release.{{ column | ident }} AS VARCHAR[]){% endif %} AS members, count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

numbered AS (
    SELECT row_number() OVER (ORDER BY members ASC NULLS FIRST) AS label_id, n_rows, members
    FROM shown
),

part AS (
    SELECT
        label_id,
        n_rows,
        unnest(CASE WHEN len(members) > 0 THEN members ELSE [NULL] END) AS member
    FROM numbered
),

told AS (
    SELECT DISTINCT label_id, n_rows, {% with text = "member" | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS member
    FROM part
)

SELECT label_id, n_rows, member AS lo_text, member AS hi_text
FROM told;
