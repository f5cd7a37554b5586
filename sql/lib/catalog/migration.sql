-- lib/catalog/migration.sql: the record of a migration.
--
-- in:      nothing
-- out:     ppdt.migration (number, name, checksum, applied_at)
--          one row
-- params:  $number, $name, $checksum
SELECT
    $number AS number,
    $name AS name,
    $checksum AS checksum,
    make_timestamp(epoch_us(get_current_timestamp())) AS applied_at;
