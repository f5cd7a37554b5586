-- learn/generalized/name.sql: the members that occur in a nominal feature, in order.
--
-- in:      ppdt_read_<i> (members)
-- out:     ppdt_axis_<i> (code, value)
--          one row per member
-- keeps:   codes count up from 1
WITH member AS (
    SELECT DISTINCT unnest(members) AS value
    FROM {{ feature.table | ident }}
)

SELECT
    CAST(row_number() OVER (ORDER BY value COLLATE "binary" ASC) AS INTEGER) AS code,
    value
FROM member;
