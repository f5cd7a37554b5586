-- methods/specialize/touched.sql: the cells that a step concerns, under the classes that it makes.
--
-- in:      ppdt_state (cell_id, n_rows, class_id, q<i>); ppdt_child_<i> (code, node_id, child_id);
--          ppdt_group (group_id, class_id, child_id)
-- out:     ppdt_touched (cell_id, n_rows, class_id, q<i>)
--          one row per cell of a class that the step divides
-- params:  $node_id
SELECT state.cell_id, state.n_rows, made.group_id AS class_id
{%- for each in attributes %}, state.{{ each.code | ident }}{% endfor %}

FROM ppdt_state AS state
{% if is_value %}
INNER JOIN ppdt_group AS made
    ON made.class_id = state.class_id
    AND made.child_id = CAST(state.{{ attribute.code | ident }} = $node_id AS INTEGER)
{% else %}
INNER JOIN {{ child | ident }} AS child
    ON child.code = state.{{ attribute.code | ident }} AND child.node_id = $node_id
INNER JOIN ppdt_group AS made
    ON made.class_id = state.class_id AND made.child_id = child.child_id
{% endif %};
