-- lib/engine/end_release.sql: note in the catalog that a release is gone.
-- params:  $run_id
UPDATE {{ schema | ident }}.release SET ended_at = make_timestamp(epoch_us(get_current_timestamp()))
WHERE run_id = $run_id
