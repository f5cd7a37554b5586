-- catalog/overlap.sql: how many rows of this source were in the sources of earlier runs, by their samples.
--
-- in:      ppdt_sketch (row_digest); ppdt.source_row (run_id, row_digest)
-- out:     ppdt_overlap (run_id, n_common, n_compared)
--          one row per earlier run that shares a row
-- params:  $size
-- keeps:   only digests below the last of both samples are compared, where both are complete
WITH reach AS (
    SELECT
        kept.run_id,
        least(
            CASE WHEN own.n_rows < $size THEN 9223372036854775807 ELSE own.last_digest END,
            CASE WHEN kept.n_rows < $size THEN 9223372036854775807 ELSE kept.last_digest END
        ) AS last_digest
    FROM (SELECT count(*) AS n_rows, max(row_digest) AS last_digest FROM ppdt_sketch) AS own
    CROSS JOIN (
        SELECT run_id, count(*) AS n_rows, max(row_digest) AS last_digest
        FROM ppdt.source_row
        GROUP BY run_id
    ) AS kept
),

side AS (
    SELECT run_id, row_digest, 0 AS is_own
    FROM ppdt.source_row
    UNION ALL
    SELECT reach.run_id, sketch.row_digest, 1 AS is_own
    FROM reach
    CROSS JOIN ppdt_sketch AS sketch
),

met AS (
    SELECT side.run_id, side.row_digest, count(*) AS n_sides, sum(side.is_own) AS n_own
    FROM side
    INNER JOIN reach ON reach.run_id = side.run_id AND side.row_digest <= reach.last_digest
    GROUP BY side.run_id, side.row_digest
)

SELECT
    run_id,
    count(*) FILTER (WHERE n_sides = 2) AS n_common,
    least(count(*) FILTER (WHERE n_own = 1), count(*) FILTER (WHERE n_sides > n_own)) AS n_compared
FROM met
GROUP BY run_id
HAVING count(*) FILTER (WHERE n_sides = 2) > 0;
