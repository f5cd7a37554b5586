-- methods/specialize/group.sql: the classes that a step of one attribute makes.
--
-- in:      ppdt_state (class_id, n_rows, q<i>); ppdt_child_<i> (code, node_id, child_id)
-- out:     ppdt_group (group_id, class_id, child_id, n_rows)
--          one row per class that shows the node, and child that occurs in it
-- params:  $node_id, $n_classes
-- keeps:   groups count on from the classes that there were
WITH counted AS (
{% if is_value %}
    SELECT state.class_id,
        CAST(state.{{ attribute.code | ident }} = $node_id AS INTEGER) AS child_id,
        sum(state.n_rows) AS n_rows
    FROM ppdt_state AS state
    SEMI JOIN (
        SELECT class_id FROM ppdt_state WHERE {{ attribute.code | ident }} = $node_id
    ) AS holder ON holder.class_id = state.class_id
    GROUP BY state.class_id, CAST(state.{{ attribute.code | ident }} = $node_id AS INTEGER)
{% else %}
    SELECT state.class_id, child.child_id, sum(state.n_rows) AS n_rows
    FROM ppdt_state AS state
    INNER JOIN {{ child | ident }} AS child ON child.code = state.{{ attribute.code | ident }}
    WHERE child.node_id = $node_id
    GROUP BY state.class_id, child.child_id
{% endif %}
)

SELECT
    CAST($n_classes + row_number() OVER (ORDER BY class_id ASC, child_id ASC) - 1 AS INTEGER) AS group_id,
    class_id,
    child_id,
    CAST(n_rows AS BIGINT) AS n_rows
FROM counted;
