-- encode/fingerprint.sql: a keyed digest of a relation that does not depend on the order of its rows.
--
-- in:      any relation
-- out:     ppdt_fingerprint (n_rows, digest_sum)
--          one row
-- params:  $digest_key
-- keeps:   every column counts, NULL and '' apart, and so does every repetition of a row
SELECT
    count(*) AS n_rows,
    CAST(coalesce(sum(CAST(CAST('0x' || left(sha256(concat_ws('|', $digest_key,
        {%+ with table = "relation" %}{% include "lib/fragments/row_text.sql" %}{% endwith %})), 15) AS BIGINT) AS HUGEINT)), 0) AS VARCHAR) AS digest_sum
FROM {{ relation }} AS relation;
