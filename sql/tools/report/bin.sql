-- tools/report/bin.sql: how many released rows lie in each bin, ranges by their overlap.
--
-- in:      ppdt_report_axis (bin, lo, hi, is_last, least); ppdt_report_label (lo, hi, n_rows)
-- out:     ppdt_bin (bin, lo, hi, least, n_rows)
--          one row per bin
SELECT
    axis.bin,
    axis.lo,
    axis.hi,
    CAST(axis.least AS VARCHAR) AS least,
    CAST(coalesce(sum(CAST(label.n_rows * CASE
        WHEN label.hi > label.lo
            THEN greatest(least(label.hi, axis.hi) - greatest(label.lo, axis.lo), 0) / (label.hi - label.lo)
        WHEN label.lo >= axis.lo AND (label.lo < axis.hi OR axis.is_last) THEN 1
        ELSE 0
    END AS DECIMAL(38, 6))), 0) AS DOUBLE) AS n_rows
FROM ppdt_report_axis AS axis
LEFT JOIN ppdt_report_label AS label
    ON isfinite(label.lo) AND isfinite(label.hi) AND label.lo <= axis.hi AND label.hi >= axis.lo
GROUP BY axis.bin, axis.lo, axis.hi, axis.least
ORDER BY axis.bin ASC;
