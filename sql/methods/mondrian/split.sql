-- methods/mondrian/split.sql: carry out the cuts; settled nodes are gone.
--
-- in:      ppdt_open (node_id, unit_id, n_rows, word_<w>); ppdt_turn (node_id, attribute_id, at_code, left_node_id);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_split (node_id, unit_id, n_rows, word_<w>)
--          one row per unit of a node that was cut
SELECT
    CAST(turn.left_node_id
        + CAST(({% include "lib/fragments/code.sql" %}) > turn.at_code AS INTEGER) AS INTEGER) AS node_id,
    open.unit_id,
    open.n_rows
{%- for word in carried %},
    open.{{ word.name | ident }}
{%- endfor %}

FROM ppdt_open AS open
INNER JOIN ppdt_turn AS turn ON turn.node_id = open.node_id
INNER JOIN ppdt_field AS field ON field.attribute_id = turn.attribute_id;
