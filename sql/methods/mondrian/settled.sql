-- methods/mondrian/settled.sql: the units of the nodes that have no cut: they are classes now.
--
-- in:      ppdt_open (node_id, unit_id); ppdt_span (node_id); ppdt_turn (node_id)
-- out:     ppdt_member (<unit>, class_id)
--          one row per unit of a settled node
-- params:  $n_classes
WITH final AS (
    SELECT
        span.node_id,
        CAST($n_classes + row_number() OVER (ORDER BY span.node_id ASC) - 1 AS INTEGER) AS class_id
    FROM ppdt_span AS span
    ANTI JOIN ppdt_turn AS turn ON turn.node_id = span.node_id
)

SELECT open.unit_id AS {{ unit | ident }}, final.class_id
FROM ppdt_open AS open
INNER JOIN final ON final.node_id = open.node_id;
