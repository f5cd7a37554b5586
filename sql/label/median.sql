-- label/median.sql: the median of a class's values, which is one of them.
--
-- in:      ppdt_part (class_id, cell_id, n_rows); ppdt_cell (cell_id, q<i>); ppdt_code_<i> (code, value, n_steps)
-- out:     ppdt_centre_<i> (class_id, centre)
--          one row per class that has finite values
-- keeps:   the lower of two middles; NULL, NaN and infinities have no say
WITH counted AS (
    SELECT
        part.class_id,
        cell.{{ attribute.code | ident }} AS code,
        sum(part.n_rows) AS n_rows
    FROM ppdt_part AS part
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
    GROUP BY part.class_id, cell.{{ attribute.code | ident }}
),

running AS (
    SELECT
        counted.class_id,
        dictionary.value,
        counted.n_rows,
        sum(counted.n_rows) OVER (PARTITION BY counted.class_id ORDER BY counted.code ASC) AS n_up,
        sum(counted.n_rows) OVER (PARTITION BY counted.class_id) AS n_all
    FROM counted
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = counted.code
    WHERE dictionary.n_steps IS NOT NULL
)

SELECT class_id, value AS centre
FROM running
WHERE 2 * n_up >= n_all AND 2 * (n_up - n_rows) < n_all;
