-- guard/side_share.sql: the sensitive values of every side of every candidate, beside the whole table's.
--
-- in:      ppdt_share (node_id, attribute_id, at_code, kind, protected_key, n_left, n_right);
--          ppdt_whole_share (kind, protected_key, n_rows, n_total, n_values)
-- out:     ppdt_side_share (node_id, attribute_id, at_code, kind, is_right, protected_key, n_rows, n_side, n_whole,
--          n_total, n_values)
--          one row per sensitive value that occurs on a side
WITH side AS (
    SELECT node_id, attribute_id, at_code, kind, FALSE AS is_right, protected_key, n_left AS n_rows
    FROM ppdt_share
    WHERE n_left > 0
    UNION ALL
    SELECT node_id, attribute_id, at_code, kind, TRUE, protected_key, n_right
    FROM ppdt_share
    WHERE n_right > 0
),

sized AS (
    SELECT node_id, attribute_id, at_code, kind, is_right, CAST(sum(n_rows) AS BIGINT) AS n_side
    FROM side
    GROUP BY node_id, attribute_id, at_code, kind, is_right
)

SELECT
    side.node_id,
    side.attribute_id,
    side.at_code,
    side.kind,
    side.is_right,
    side.protected_key,
    side.n_rows,
    sized.n_side,
    whole.n_rows AS n_whole,
    whole.n_total,
    whole.n_values
FROM side
INNER JOIN sized
    ON sized.node_id = side.node_id
    AND sized.attribute_id = side.attribute_id
    AND sized.at_code = side.at_code
    AND sized.kind = side.kind
    AND sized.is_right = side.is_right
INNER JOIN ppdt_whole_share AS whole ON whole.kind = side.kind AND whole.protected_key = side.protected_key;
