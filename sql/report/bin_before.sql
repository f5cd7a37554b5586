-- report/bin_before.sql: how many rows of the original lie in each bin.
--
-- in:      the original; ppdt_report_axis (bin, lo, hi, is_last)
-- out:     ppdt_bin_before (bin, n_rows)
--          one row per bin
WITH value AS (
    SELECT CAST(original.{{ column | ident }} AS VARCHAR) AS value_text, count(*) AS n_rows
    FROM {{ original }} AS original
    GROUP BY ALL
),

placed AS (
    SELECT {% with text = "value_text" | ident %}{% include "form/as_number.sql" %}{% endwith %} AS place, n_rows
    FROM value
)

SELECT axis.bin, CAST(coalesce(sum(placed.n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_report_axis AS axis
LEFT JOIN placed
    ON placed.place >= axis.lo AND (placed.place < axis.hi OR (axis.is_last AND placed.place <= axis.hi))
GROUP BY axis.bin
ORDER BY axis.bin ASC;
