-- lib/catalog/release.sql: the record of a release.
--
-- in:      nothing
-- out:     ppdt.release (run_id, name, form, place, created_at, certificate, ended_at)
--          one row
-- params:  $run_id, $name, $form, $place, $certificate
SELECT
    $run_id AS run_id,
    $name AS name,
    $form AS form,
    $place AS place,
    make_timestamp(epoch_us(get_current_timestamp())) AS created_at,
    $certificate AS certificate,
    CAST(NULL AS TIMESTAMP) AS ended_at;
