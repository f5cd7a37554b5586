-- engine/end_release.sql: note in the catalog that a release is gone.
-- params:  $run_id
UPDATE {{ schema | ident }}.release SET ended_at = CAST(get_current_timestamp() AS TIMESTAMP)
WHERE run_id = $run_id
