-- lib/catalog/finding.sql: one answer of the audit.
--
-- in:      nothing
-- out:     ppdt.finding (run_id, name, required, measured, is_passed)
--          one row
-- params:  $run_id, $name, $required, $measured, $is_passed
SELECT
    $run_id AS run_id,
    $name AS name,
    CAST($required AS DOUBLE) AS required,
    CAST($measured AS DOUBLE) AS measured,
    $is_passed AS is_passed;
