-- lib/catalog/releases.sql: the releases on record, newest first.
--
-- in:      ppdt.release (run_id, name, form, place, created_at, certificate, ended_at);
--          ppdt.run (run_id, source, source_fingerprint, method)
-- out:     ppdt_releases (run_id, name, form, place, created_at, ended_at, source, source_fingerprint, method, certificate)
--          one row per release
SELECT
    release.run_id,
    release.name,
    release.form,
    release.place,
    release.created_at,
    release.ended_at,
    run.source,
    run.source_fingerprint,
    run.method,
    release.certificate
FROM {{ schema | ident }}.release AS release
INNER JOIN {{ schema | ident }}.run AS run ON run.run_id = release.run_id
ORDER BY release.run_id DESC;
