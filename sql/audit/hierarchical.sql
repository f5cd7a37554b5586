-- audit/hierarchical.sql: the hierarchical distance of every class from the whole release.
--
-- in:      ppdt_portion (class_id, code, n_rows, n_class); ppdt_sensitive_value (code, n_rows); ppdt_hierarchy_node (code, level, node)
-- out:     ppdt_hierarchical (class_id, t_hierarchical)
--          one row per class
-- params:  $n_total
-- keeps:   two leaves are as far apart as the height of their lowest common node / the height of the root; so
--          the distance is the mean, over the levels below the root, of the variational distance there
-- paper:   Li, Li, Venkatasubramanian 2007, section 5.2
WITH whole AS (
    SELECT node.level, node.node, CAST(sum(value.n_rows) AS BIGINT) AS n_value
    FROM ppdt_sensitive_value AS value
    INNER JOIN ppdt_hierarchy_node AS node ON node.code = value.code
    GROUP BY node.level, node.node
),

part AS (
    SELECT
        portion.class_id,
        portion.n_class,
        node.level,
        node.node,
        CAST(sum(portion.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_portion AS portion
    INNER JOIN ppdt_hierarchy_node AS node ON node.code = portion.code
    GROUP BY portion.class_id, portion.n_class, node.level, node.node
)

SELECT
    part.class_id,
    round(CAST(sum(greatest(part.n_rows * $n_total - whole.n_value * part.n_class, 0)) AS DOUBLE)
        / (CAST(any_value(part.n_class) AS DOUBLE) * $n_total * {{ levels | length | literal }}), 12) AS t_hierarchical
FROM part
INNER JOIN whole ON whole.level = part.level AND whole.node IS NOT DISTINCT FROM part.node
GROUP BY part.class_id;
