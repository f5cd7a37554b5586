-- mondrian/split.sql: carry out the cuts; settled nodes are gone.
--
-- in:      ppdt_open (node_id, unit_id, n_rows, q<i>); ppdt_turn (node_id, attribute_id, at_code, left_node_id)
-- out:     ppdt_split (node_id, unit_id, n_rows, q<i>)
--          one row per unit of a node that was cut
SELECT
    CAST(turn.left_node_id + CASE turn.attribute_id
{% for attribute in attributes %}
        WHEN {{ attribute.position | literal }} THEN CAST(open.{{ attribute.code | ident }} > turn.at_code AS INTEGER)
{% endfor %}
    END AS INTEGER) AS node_id,
    open.unit_id,
    open.n_rows,
{% for attribute in attributes %}
    open.{{ attribute.code | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_open AS open
INNER JOIN ppdt_turn AS turn ON turn.node_id = open.node_id;
