-- lib/catalog/run.sql: the record of a run.
--
-- in:      nothing
-- out:     ppdt.run (run_id, ended_at, source, source_fingerprint, method, policy, run_key)
--          one row
-- params:  $run_id, $source, $source_fingerprint, $method, $policy, $run_key
SELECT
    $run_id AS run_id,
    make_timestamp(epoch_us(get_current_timestamp())) AS ended_at,
    $source AS source,
    $source_fingerprint AS source_fingerprint,
    $method AS method,
    $policy AS policy,
    $run_key AS run_key;
