-- guard/remote.sql: the candidates of which a side is too far from the whole table in a hierarchy.
--
-- in:      ppdt_side_share (node_id, attribute_id, at_code, kind, is_right, protected_key, n_rows, n_side);
--          ppdt_whole_share (kind, protected_key, n_rows, n_total); ppdt_protected_level (kind, protected_key, level, node, n_levels)
-- out:     ppdt_remote (node_id, attribute_id, at_code)
--          one row per candidate beyond t
-- params:  $t
-- keeps:   two values are as far apart as the height of their lowest common node / the height of the root;
--          exact until the one division
-- paper:   Li, Li, Venkatasubramanian 2007, section 5.2
WITH whole AS (
    SELECT level.kind, level.level, level.node, sum(share.n_rows) AS n_whole, any_value(share.n_total) AS n_total
    FROM ppdt_whole_share AS share
    INNER JOIN ppdt_protected_level AS level ON level.kind = share.kind AND level.protected_key = share.protected_key
    GROUP BY level.kind, level.level, level.node
),

part AS (
    SELECT
        share.node_id, share.attribute_id, share.at_code, share.kind, share.is_right, share.n_side,
        level.level, level.node, level.n_levels,
        sum(share.n_rows) AS n_rows
    FROM ppdt_side_share AS share
    INNER JOIN ppdt_protected_level AS level ON level.kind = share.kind AND level.protected_key = share.protected_key
    GROUP BY ALL
),

distance AS (
    SELECT
        part.node_id, part.attribute_id, part.at_code,
        CAST(sum(greatest(part.n_rows * whole.n_total - whole.n_whole * part.n_side, 0)) AS DOUBLE)
        / (CAST(any_value(part.n_side) AS DOUBLE) * any_value(whole.n_total) * any_value(part.n_levels)) AS t
    FROM part
    INNER JOIN whole
        ON whole.kind = part.kind
        AND whole.level = part.level
        AND whole.node IS NOT DISTINCT FROM part.node
    GROUP BY part.node_id, part.attribute_id, part.at_code, part.kind, part.is_right
)

SELECT DISTINCT node_id, attribute_id, at_code
FROM distance
WHERE round(t, 12) > round(CAST($t AS DOUBLE), 12);
