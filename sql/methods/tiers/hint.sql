-- methods/tiers/hint.sql: who agrees with whom: for every class $k original rows, for every cell $k released ones.
--
-- in:      ppdt_class_part (class_id, part_id); ppdt_member (class_id); ppdt_part (class_id, cell_id);
--          ppdt_cell (cell_id, n_rows); ppdt_leaf (cell_id, leaf_id)
-- out:     ppdt_hint (class_id, cell_id)
--          one row per pair
-- params:  $k
-- keeps:   a hint only: whoever proves the release looks at every pair himself
WITH size AS (
    SELECT class_id, count(*) AS n_rows
    FROM ppdt_member
    GROUP BY class_id
),

class AS (
    SELECT held.part_id, held.class_id, sum(size.n_rows) OVER (
        PARTITION BY held.part_id ORDER BY size.n_rows DESC, held.class_id ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - size.n_rows AS n_before
    FROM ppdt_class_part AS held
    INNER JOIN size ON size.class_id = held.class_id
),

inside AS (
    SELECT part.class_id AS part_id, part.cell_id, sum(cell.n_rows) OVER (
        PARTITION BY part.class_id ORDER BY cell.n_rows DESC, part.cell_id ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - cell.n_rows AS n_before
    FROM ppdt_part AS part
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
),

home AS (
    SELECT class_id, min(part_id) AS part_id
    FROM ppdt_class_part
    GROUP BY class_id
)

SELECT home.class_id, inside.cell_id
FROM home
INNER JOIN inside ON inside.part_id = home.part_id AND inside.n_before < $k
UNION
SELECT class.class_id, leaf.cell_id
FROM class
INNER JOIN ppdt_leaf AS leaf ON leaf.leaf_id = class.part_id
WHERE class.n_before < $k;
