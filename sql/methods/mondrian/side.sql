-- methods/mondrian/side.sql: how far both sides of every balanced cut reach in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>); ppdt_balance (node_id, attribute_id, at_code);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_side (node_id, attribute_id, at_code, is_right, n_rows, lo_<o>, hi_<o>, finite_<o>, n_values_<c>)
--          one row per (node_id, attribute_id, at_code, is_right)
WITH placed AS (
    SELECT
        balance.node_id,
        balance.attribute_id,
        balance.at_code,
        ({% include "lib/fragments/code.sql" %}) > balance.at_code AS is_right,
        open.n_rows,{% include "lib/fragments/codes.sql" %}

    FROM ppdt_open AS open
    INNER JOIN ppdt_balance AS balance ON balance.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = balance.attribute_id
)

SELECT
    node_id,
    attribute_id,
    at_code,
    is_right,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
{% include "lib/fragments/span.sql" %}

FROM placed
GROUP BY node_id, attribute_id, at_code, is_right;
