-- methods/mondrian/dealt.sql: deal the rows to two sides, those that equal the median by their random number.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_median (node_id, attribute_id, at_code, n_equal_left);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_dealt (node_id, attribute_id, unit_id, is_right)
--          one row per row and attribute looked at
-- keeps:   the sides differ by at most one row
-- paper:   LeFevre, DeWitt, Ramakrishnan 2006, section 3.2 (relaxed)
WITH placed AS (
    SELECT
        open.node_id,
        median.attribute_id,
        open.unit_id,
        median.n_equal_left,
        sign(({% include "lib/fragments/code.sql" %}) - median.at_code) AS side
    FROM ppdt_open AS open
    INNER JOIN ppdt_median AS median ON median.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = median.attribute_id
)

SELECT
    node_id,
    attribute_id,
    unit_id,
    side > 0 OR (
        side = 0
        AND row_number() OVER (
            PARTITION BY node_id, attribute_id, side ORDER BY unit_id ASC
        ) > n_equal_left
    ) AS is_right
FROM placed;
