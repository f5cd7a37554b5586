-- lib/catalog/next_run.sql: the number of the run that begins.
--
-- in:      ppdt.run (run_id)
-- out:     ppdt_next_run (run_id)
--          one row
SELECT CAST(coalesce(max(run_id), 0) + 1 AS INTEGER) AS run_id
FROM {{ schema | ident }}.run;
