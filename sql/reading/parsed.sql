-- reading/parsed.sql: whether a text column holds ranges and single values of one ordered type.
--
-- in:      the source
-- out:     ppdt_parsed (n_shown, n_ranges, n_integers, n_numbers, n_dates, n_timestamps, n_instants, n_times)
--          one row: of the distinct values that name something, how many are ranges, and how many can
--          be read as each type
-- keeps:   NULL, NaN and the infinities name nothing
WITH seen AS (
    SELECT DISTINCT {% include "form/appears.sql" %} AS shown
    FROM {{ source }} AS source
),

part AS (
    SELECT
        regexp_matches(shown, '^\[.+, .+\]( or .+)?$') AS is_range,
        {% include "form/ends.sql" %}

    FROM seen
    WHERE shown IS NOT NULL
)

SELECT
    count(*) AS n_shown,
    count(*) FILTER (WHERE is_range) AS n_ranges,
    count(*) FILTER (WHERE regexp_matches(low || ' ' || high, '^-?\d{1,15} -?\d{1,15}$')) AS n_integers,
    count(*) FILTER (WHERE isfinite(TRY_CAST(low AS DOUBLE)) AND isfinite(TRY_CAST(high AS DOUBLE)))
        AS n_numbers,
    count(*) FILTER (
        WHERE CAST(TRY_CAST(low AS DATE) AS VARCHAR) = low AND CAST(TRY_CAST(high AS DATE) AS VARCHAR) = high
    ) AS n_dates,
    count(*) FILTER (
        WHERE TRY_CAST(low AS TIMESTAMP) IS NOT NULL AND TRY_CAST(high AS TIMESTAMP) IS NOT NULL
    ) AS n_timestamps,
    count(*) FILTER (
        WHERE TRY_CAST(low AS TIMESTAMP) IS NOT NULL AND TRY_CAST(high AS TIMESTAMP) IS NOT NULL
            AND regexp_matches(low, ':.*[+]00$') AND regexp_matches(high, ':.*[+]00$')
    ) AS n_instants,
    count(*) FILTER (WHERE TRY_CAST(low AS TIME) IS NOT NULL AND TRY_CAST(high AS TIME) IS NOT NULL
        AND regexp_matches(low || ' ' || high, '^\d\d:\d\d:[0-9.]+ \d\d:\d\d:[0-9.]+$')) AS n_times
FROM part
WHERE lower(low) NOT IN ('null', 'nan', 'inf', '-inf', 'infinity', '-infinity');
