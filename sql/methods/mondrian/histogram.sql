-- methods/mondrian/histogram.sql: count the rows at every code of the attributes that are looked at.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_histogram (node_id, attribute_id, code, n_rows)
--          one row per (node_id, attribute_id, code)
-- keeps:   the three keys travel as one packed integer, which groups several times faster
WITH packed AS (
    SELECT
        (((CAST(open.node_id AS BIGINT) << {{ attribute_bits | literal }}) | pick.attribute_id)
            << {{ code_bits | literal }})
        | ({% include "lib/fragments/code.sql" %}) AS node_attribute_code,
        open.n_rows
    FROM ppdt_open AS open
    INNER JOIN ppdt_pick AS pick ON pick.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = pick.attribute_id
),

counted AS (
    SELECT node_attribute_code, sum(n_rows) AS n_rows
    FROM packed
    GROUP BY node_attribute_code
)

SELECT
    CAST(node_attribute_code >> {{ (attribute_bits + code_bits) | literal }} AS INTEGER) AS node_id,
    CAST((node_attribute_code >> {{ code_bits | literal }}) & {{ (2 ** attribute_bits - 1) | literal }} AS INTEGER) AS attribute_id,
    CAST(node_attribute_code & {{ (2 ** code_bits - 1) | literal }} AS INTEGER) AS code,
    CAST(n_rows AS BIGINT) AS n_rows
FROM counted;
