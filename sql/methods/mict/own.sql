-- methods/mict/own.sql: rows of complying leaves that show what they hold: equal rows are a class.
--
-- in:      ppdt_coarse (row_id, class_id); ppdt_row (row_id, cell_id)
-- out:     ppdt_own (row_id, class_id)
--          one row per row of a complying leaf
-- paper:   Chettri, Ray: the set S
WITH own AS (
    SELECT placed.row_id, placed.cell_id
    FROM ppdt_row AS placed
    INNER JOIN ppdt_coarse AS coarse ON coarse.row_id = placed.row_id AND coarse.class_id >= 0
),

named AS (
    SELECT cell_id, min(row_id) AS class_id
    FROM own
    GROUP BY cell_id
)

SELECT own.row_id, named.class_id
FROM own
INNER JOIN named ON named.cell_id = own.cell_id;
