-- audit/background.sql: what an attacker must know of a class's people to find it: BIG, in trillionths of a bit.
--
-- in:      ppdt_class (class_id, g<i>); ppdt_share_<i> (words, high_words, n_rows, share, is_missing);
--          ppdt_domain_<i> (n_nulls, value_bits)
-- out:     ppdt_background (class_id, big, n_known)
--          one row per class; n_known counts the quasi-identifiers that could be measured
-- keeps:   a label counts -log2 of what it covers, a single value as much as a value of the original does; a
--          missing cell none where cells were suppressed, else it is a value; several shares of one text: the
--          largest; each logarithm is rounded once, so that sums are exact
-- paper:   Yang, Wang, Hu, Li 2019, definition 1
WITH piece AS (
{% for share in shares %}
    SELECT
        class.class_id,
        CASE
            WHEN NOT label.is_missing AND label.share > 0
                THEN least(label.value_bits, CAST(round(-log2(least(label.share, 1)) * 1e12) AS BIGINT))
            WHEN label.is_missing AND label.n_missing > label.n_nulls THEN 0
            WHEN label.is_missing OR label.share = 0 THEN label.value_bits
        END AS bits
    FROM ppdt_class AS class
    INNER JOIN (
        SELECT
            share.words,
            share.high_words,
            max(share.share) AS share,
            bool_or(share.is_missing) AS is_missing,
            any_value(missing.n_rows) AS n_missing,
            any_value(domain.n_nulls) AS n_nulls,
            any_value(domain.value_bits) AS value_bits
        FROM {{ share.relation | ident }} AS share
        CROSS JOIN {{ share.domain | ident }} AS domain
        CROSS JOIN (
            SELECT coalesce(sum(n_rows) FILTER (WHERE is_missing), 0) AS n_rows
            FROM {{ share.relation | ident }}
        ) AS missing
        GROUP BY share.words, share.high_words
    ) AS label
        ON CAST(class.{{ share.group | ident }} AS VARCHAR) IS NOT DISTINCT FROM label.words COLLATE "binary"
{% if share.high_group %}
            AND CAST(class.{{ share.high_group | ident }} AS VARCHAR) IS NOT DISTINCT FROM label.high_words COLLATE "binary"
{% endif %}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT class_id, CAST(sum(bits) AS BIGINT) AS big, count(bits) AS n_known
FROM piece
GROUP BY class_id;
