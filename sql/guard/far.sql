-- guard/far.sql: the candidates of which a side is too far from the whole table in an ordered column.
--
-- in:      ppdt_side_share (node_id, attribute_id, at_code, kind, is_right, protected_key, n_rows, n_side);
--          ppdt_whole_share (kind, protected_key, n_upto, n_total, n_values)
-- out:     ppdt_far (node_id, attribute_id, at_code)
--          one row per candidate beyond t
-- params:  $t
-- keeps:   every value of the table is looked at, whether it occurs on the side or not; exact until the one
--          division; a column of one value is never far
-- paper:   Li, Li, Venkatasubramanian 2007, section 5.1
WITH side AS (
    SELECT DISTINCT node_id, attribute_id, at_code, kind, is_right, n_side
    FROM ppdt_side_share
    WHERE kind IN ({% for kind in ordered_kinds %}{{ kind | literal }}{{ comma(loop) }}{% endfor %})
),

upto AS (
    SELECT
        side.node_id, side.attribute_id, side.at_code, side.kind, side.is_right, side.n_side,
        whole.n_upto AS n_whole_upto,
        whole.n_total,
        whole.n_values,
        sum(coalesce(share.n_rows, 0)) OVER (
            PARTITION BY side.node_id, side.attribute_id, side.at_code, side.kind, side.is_right
            ORDER BY whole.protected_key ASC
        ) AS n_upto
    FROM side
    INNER JOIN ppdt_whole_share AS whole ON whole.kind = side.kind
    LEFT JOIN ppdt_side_share AS share
        ON share.node_id = side.node_id
        AND share.attribute_id = side.attribute_id
        AND share.at_code = side.at_code
        AND share.kind = side.kind
        AND share.is_right = side.is_right
        AND share.protected_key = whole.protected_key
),

distance AS (
    SELECT
        node_id, attribute_id, at_code,
        CAST(sum(abs(n_upto * n_total - CAST(n_whole_upto AS HUGEINT) * n_side)) AS DOUBLE)
        / nullif(CAST(any_value(n_side) AS DOUBLE) * any_value(n_total) * (any_value(n_values) - 1), 0) AS t
    FROM upto
    GROUP BY node_id, attribute_id, at_code, kind, is_right
)

SELECT DISTINCT node_id, attribute_id, at_code
FROM distance
WHERE round(t, 12) > round(CAST($t AS DOUBLE), 12);
