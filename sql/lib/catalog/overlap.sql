-- lib/catalog/overlap.sql: how many rows of this source were in the sources of earlier runs, by their samples.
--
-- in:      ppdt_sketch (row_digest, reach); ppdt.source_row (run_id, row_digest, reach)
-- out:     ppdt_overlap (run_id, n_common, n_compared)
--          one row per earlier run that shares a row
-- keeps:   only digests are compared that both samples reach to
WITH reached AS (
    SELECT kept.run_id, least(own.reach, kept.reach) AS reach
    FROM (SELECT max(reach) AS reach FROM ppdt_sketch) AS own
    CROSS JOIN (
        SELECT run_id, max(reach) AS reach
        FROM {{ schema | ident }}.source_row
        GROUP BY run_id
    ) AS kept
),

side AS (
    SELECT run_id, row_digest, 0 AS is_own
    FROM {{ schema | ident }}.source_row
    UNION ALL
    SELECT reached.run_id, sketch.row_digest, 1 AS is_own
    FROM reached
    CROSS JOIN ppdt_sketch AS sketch
),

met AS (
    SELECT side.run_id, side.row_digest, count(*) AS n_sides, sum(side.is_own) AS n_own
    FROM side
    INNER JOIN reached ON reached.run_id = side.run_id AND side.row_digest <= reached.reach
    GROUP BY side.run_id, side.row_digest
)

SELECT
    run_id,
    count(*) FILTER (WHERE n_sides = 2) AS n_common,
    least(count(*) FILTER (WHERE n_own = 1), count(*) FILTER (WHERE n_sides > n_own)) AS n_compared
FROM met
GROUP BY run_id
HAVING count(*) FILTER (WHERE n_sides = 2) > 0;
