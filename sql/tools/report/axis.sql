-- tools/report/axis.sql: the bins of one ordered column: equal widths between the ends that the release shows.
--
-- in:      ppdt_report_label (lo, hi, least)
-- out:     ppdt_report_axis (bin, lo, hi, is_last, least)
--          one row per bin; lo and hi count from the lowest end
-- params:  $n_bins
WITH span AS (
    SELECT
        min(lo) FILTER (WHERE isfinite(lo)) AS lo,
        max(hi) FILTER (WHERE isfinite(hi)) AS hi,
        any_value(least) AS least
    FROM ppdt_report_label
)

SELECT
    bin.bin,
    span.lo + (span.hi - span.lo) * bin.bin / $n_bins AS lo,
    span.lo + (span.hi - span.lo) * (bin.bin + 1) / $n_bins AS hi,
    bin.bin = $n_bins - 1 AS is_last,
    span.least
FROM span
CROSS JOIN range($n_bins) AS bin (bin)
WHERE span.hi > span.lo;
