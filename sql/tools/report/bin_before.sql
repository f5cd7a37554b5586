-- tools/report/bin_before.sql: how many rows of the original lie in each bin.
--
-- in:      the original; ppdt_report_axis (bin, lo, hi, is_last, least)
-- out:     ppdt_bin_before (bin, n_rows)
--          one row per bin
WITH value AS (
    SELECT {% with text = ("original", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS value_text, count(*) AS n_rows
    FROM {{ original }} AS original
    GROUP BY ALL
),

placed AS (
    SELECT
        {%+ with low = ("lowest", "least") | ident, high = ("numbered", "number") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %} AS place,
        numbered.n_rows
    FROM (SELECT {% with text = "value_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS number, n_rows FROM value) AS numbered
    CROSS JOIN (SELECT any_value(least) AS least FROM ppdt_report_axis) AS lowest
)

SELECT axis.bin, CAST(coalesce(sum(placed.n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_report_axis AS axis
LEFT JOIN placed
    ON placed.place >= axis.lo AND (placed.place < axis.hi OR (axis.is_last AND placed.place <= axis.hi))
GROUP BY axis.bin
ORDER BY axis.bin ASC;
