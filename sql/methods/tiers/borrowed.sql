-- methods/tiers/borrowed.sql: the rows that every small part borrows.
--
-- in:      ppdt_near (part_id, nearest); ppdt_needy (part_id, n_needed);
--          ppdt_point (part_id, cell_id, n_rows, first_row); ppdt_row (row_id, cell_id)
-- out:     ppdt_borrowed (part_id, row_id, cell_id, own_id)
--          one row per borrower and row that it borrows
-- params:  $k
-- keeps:   nearest first, then by key; cells that others fill up before them are not looked into, nor
--          more rows of a cell than anybody needs
WITH place AS (
    SELECT part_id, unnest(nearest) AS place
    FROM ppdt_near
),

cell AS (
    SELECT
        place.part_id,
        place.place >> 31 AS gap,
        point.cell_id,
        point.part_id AS own_id,
        needy.n_needed,
        coalesce(sum(point.n_rows) OVER (
            PARTITION BY place.part_id ORDER BY place.place >> 31 ASC
            RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS n_nearer
    FROM place
    INNER JOIN ppdt_point AS point ON point.first_row = place.place & 2147483647
    INNER JOIN ppdt_needy AS needy ON needy.part_id = place.part_id
),

offered AS (
    SELECT
        placed.cell_id,
        placed.row_id,
        row_number() OVER (PARTITION BY placed.cell_id ORDER BY placed.row_id ASC) AS copy
    FROM ppdt_row AS placed
    SEMI JOIN cell ON cell.cell_id = placed.cell_id
),

ranked AS (
    SELECT
        cell.part_id, cell.own_id, cell.n_needed, offered.row_id, offered.cell_id,
        row_number() OVER (PARTITION BY cell.part_id ORDER BY cell.gap ASC, offered.row_id ASC) AS place
    FROM cell
    INNER JOIN offered ON offered.cell_id = cell.cell_id AND offered.copy < $k
    WHERE cell.n_nearer < cell.n_needed
)

SELECT part_id, row_id, cell_id, own_id
FROM ranked
WHERE place <= n_needed;
