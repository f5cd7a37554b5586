-- methods/mondrian/child_candidate.sql: the cuts that go between children of the lowest node of a hierarchy.
--
-- in:      ppdt_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median);
--          ppdt_histogram (node_id, attribute_id, code); ppdt_node_above (attribute_id, code, depth, branch_id)
-- out:     ppdt_child_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median)
--          one row per cut that is left; attributes without a hierarchy keep all of theirs
-- keeps:   of the lowest node that holds all codes of a node's, no child is divided; the median is the cut after
--          the child that holds the row at position ceil(n / 2) or, where it may go to either side, before it
WITH ends AS (
    SELECT node_id, attribute_id, min(code) AS lo, max(code) AS hi
    FROM ppdt_histogram
    WHERE attribute_id IN (SELECT attribute_id FROM ppdt_node_above)
    GROUP BY node_id, attribute_id
),

common AS (
    SELECT ends.node_id, ends.attribute_id, max(low.depth) AS depth
    FROM ends
    INNER JOIN ppdt_node_above AS low ON low.attribute_id = ends.attribute_id AND low.code = ends.lo
    INNER JOIN ppdt_node_above AS high
        ON high.attribute_id = ends.attribute_id
        AND high.code = ends.hi
        AND high.branch_id = low.branch_id
    GROUP BY ends.node_id, ends.attribute_id
),

child AS (
    SELECT histogram.node_id, histogram.attribute_id, max(histogram.code) AS last_code
    FROM ppdt_histogram AS histogram
    INNER JOIN common
        ON common.node_id = histogram.node_id AND common.attribute_id = histogram.attribute_id
    INNER JOIN ppdt_node_above AS branch
        ON branch.attribute_id = histogram.attribute_id
        AND branch.code = histogram.code
        AND branch.depth = common.depth + 1
    GROUP BY histogram.node_id, histogram.attribute_id, branch.branch_id
)

SELECT
    candidate.node_id,
    candidate.attribute_id,
    candidate.at_code,
    candidate.width,
    candidate.n_rows_left,
    candidate.n_rows_right,
    CASE
        WHEN child.last_code IS NULL THEN candidate.is_median
        ELSE candidate.n_rows_left >= candidate.n_rows_right
            AND coalesce(lag(candidate.n_rows_left < candidate.n_rows_right) OVER along, TRUE)
{% if either_side %}
            OR candidate.n_rows_left < candidate.n_rows_right
            AND coalesce(lead(candidate.n_rows_left >= candidate.n_rows_right) OVER along, TRUE)
{% endif %}
    END AS is_median
FROM ppdt_candidate AS candidate
LEFT JOIN child
    ON child.node_id = candidate.node_id
    AND child.attribute_id = candidate.attribute_id
    AND child.last_code = candidate.at_code
WHERE child.last_code IS NOT NULL
    OR candidate.attribute_id NOT IN (SELECT attribute_id FROM ppdt_node_above)
WINDOW along AS (
    PARTITION BY candidate.node_id, candidate.attribute_id, child.last_code IS NULL
    ORDER BY candidate.at_code ASC
);
