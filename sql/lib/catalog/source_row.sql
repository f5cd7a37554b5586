-- lib/catalog/source_row.sql: the sample of a source's rows, kept with the run that read it.
--
-- in:      ppdt_sketch (row_digest, reach)
-- out:     ppdt.source_row (run_id, row_digest, reach)
--          one row per digest
-- params:  $run_id
SELECT
    $run_id AS run_id,
    row_digest,
    reach
FROM ppdt_sketch;
