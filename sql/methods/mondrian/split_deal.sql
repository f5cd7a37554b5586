-- methods/mondrian/split_deal.sql: carry out the deals; settled nodes are gone.
--
-- in:      ppdt_open (node_id, unit_id, n_rows, word_<w>); ppdt_turn (node_id, left_node_id);
--          ppdt_kept_deal (unit_id, is_right)
-- out:     ppdt_split (node_id, unit_id, n_rows, word_<w>)
--          one row per row of a node that was cut
SELECT
    CAST(turn.left_node_id + CAST(kept_deal.is_right AS INTEGER) AS INTEGER) AS node_id,
    open.unit_id,
    open.n_rows
{%- for word in carried %},
    open.{{ word.name | ident }}
{%- endfor %}

FROM ppdt_open AS open
INNER JOIN ppdt_turn AS turn ON turn.node_id = open.node_id
INNER JOIN ppdt_kept_deal AS kept_deal ON kept_deal.unit_id = open.unit_id;
