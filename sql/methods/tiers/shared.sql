-- methods/tiers/shared.sql: the classes of the rows that are lent: rows that are in the same parts.
--
-- in:      ppdt_lender (own_id, part_ids); ppdt_above (node_id)
-- out:     ppdt_shared (class_id, own_id, part_ids)
--          one row per set of parts
-- keeps:   the numbers begin behind those of the nodes, which number the classes of rows not lent
WITH sharing AS (
    SELECT DISTINCT own_id, part_ids
    FROM ppdt_lender
)

SELECT
    row_number() OVER (ORDER BY own_id ASC, part_ids ASC)
        + (SELECT max(above.node_id) FROM ppdt_above AS above) AS class_id,
    own_id,
    part_ids
FROM sharing;
