-- audit/loss.sql: the mean certainty penalty of every quasi-identifier, and its suppressed cells.
--
-- in:      ppdt_share_<i> (n_rows, share, is_missing); ppdt_domain_<i> (n_values, n_nulls)
-- out:     ppdt_loss (place, ncp)
--          one row per quasi-identifier; ncp is NULL where some label cannot be measured
-- keeps:   a label costs what it covers, a missing cell 1, but NULLs that the original held are values; an
--          attribute of one value costs nothing; sums are exact, divided once
{% for share in shares %}
SELECT
    CAST({{ share.place | literal }} AS INTEGER) AS place,
    CASE
        WHEN any_value(domain.n_values) = 1 THEN 0
        WHEN count(*) FILTER (WHERE share.share IS NULL AND NOT share.is_missing) > 0 THEN NULL
        ELSE (
            coalesce(CAST(sum(CAST(share.n_rows * share.share AS DECIMAL(38, 12))) FILTER (WHERE NOT share.is_missing) AS DOUBLE), 0)
            + greatest(coalesce(sum(share.n_rows) FILTER (WHERE share.is_missing), 0) - coalesce(any_value(domain.n_nulls), 0), 0)
        ) / sum(share.n_rows)
    END AS ncp
FROM {{ share.relation | ident }} AS share
CROSS JOIN {{ share.domain | ident }} AS domain
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %}
ORDER BY place ASC;
