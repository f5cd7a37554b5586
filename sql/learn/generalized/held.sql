-- learn/generalized/held.sql: the codes of the members of every form of a nominal feature.
--
-- in:      ppdt_read_<i> (shown, members, has_null); ppdt_axis_<i> (code, value)
-- out:     ppdt_held (shown, codes)
--          one row per form as it is shown
-- keeps:   0 is the unknown value, 1 a member that the axis does not know
WITH form AS (
    SELECT row_number() OVER (ORDER BY shown ASC) AS form_id, shown, members, has_null
    FROM {{ feature.table | ident }}
),

exploded AS (
    SELECT form_id, unnest(members) AS value, FALSE AS is_null
    FROM form
    UNION ALL
    SELECT form_id, NULL, TRUE
    FROM form
    WHERE has_null
),

coded AS (
    SELECT
        exploded.form_id,
        CASE WHEN exploded.is_null THEN 0 ELSE coalesce(name.code, 1) END AS code
    FROM exploded
    LEFT JOIN {{ feature.axis_relation }} AS name
        ON name.value = exploded.value COLLATE "binary"
),

listed AS (
    SELECT form_id, list(code ORDER BY code ASC) AS codes
    FROM coded
    GROUP BY form_id
)

SELECT form.shown, listed.codes
FROM form
INNER JOIN listed ON listed.form_id = form.form_id;
