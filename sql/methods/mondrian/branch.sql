-- methods/mondrian/branch.sql: what the lowest node stands for that holds all codes of a side, of one attribute.
--
-- in:      ppdt_side (lo_<o>, hi_<o>); ppdt_node_above (attribute_id, code, branch_id, share)
-- out:     ppdt_branch_<i> (lo, hi, share)
--          one row per pair of first and last codes that occurs
-- keeps:   of the nodes that hold both codes the lowest has the smallest share
WITH occurring AS (
    SELECT DISTINCT
        {{ attribute.lo }} AS lo,
        {{ attribute.hi }} AS hi
    FROM ppdt_side
)

SELECT occurring.lo, occurring.hi, min(low.share) AS share
FROM occurring
INNER JOIN ppdt_node_above AS low
    ON low.attribute_id = {{ attribute.position | literal }} AND low.code = occurring.lo
INNER JOIN ppdt_node_above AS high
    ON high.attribute_id = low.attribute_id
    AND high.code = occurring.hi
    AND high.branch_id = low.branch_id
GROUP BY occurring.lo, occurring.hi;
