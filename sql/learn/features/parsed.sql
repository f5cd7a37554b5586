-- learn/features/parsed.sql: whether text columns hold ranges and single values of one ordered type.
--
-- in:      the source
-- out:     ppdt_parsed (position, n_shown, n_ranges, n_plain, n_long, n_whole, n_point, n_nanoseconds, n_integers, n_huge, n_unsigned, n_numbers, n_dates, n_timestamps, n_instants, n_times)
--          one row per feature with named values: of the distinct ones, how many are ranges, plain decimal
--          numbers, long ones among them, the most digits before and after the point; how many can be
--          read as each type
-- keeps:   NULL, NaN and the infinities name nothing; a number is long that is not what a DOUBLE says;
--          nanoseconds are counted where there are any
WITH seen AS (
{% for feature in features %}
    SELECT DISTINCT {{ feature.position | literal }} AS position, {% include "lib/fragments/appears.sql" %} AS shown
    FROM {{ source }} AS source{% if not loop.last %} UNION ALL{% endif %}

{% endfor %}
),

part AS (
    SELECT
        position, regexp_matches(shown, '^\[.+, .+\]( or .+)?$') AS is_range,
        {%+ include "lib/fragments/ends.sql" %}

    FROM seen
    WHERE shown IS NOT NULL
),

ends AS (
    SELECT
        position, is_range, low, high,
        regexp_matches(low, '^-?\d+$') AND regexp_matches(high, '^-?\d+$') AS is_whole,
        regexp_matches(low, '^-?\d+([.]\d+)?$') AND regexp_matches(high, '^-?\d+([.]\d+)?$') AS is_plain,
        {%+ with text = "low" | ident %}{% include "lib/fragments/is_long.sql" %}{% endwith %}

        OR {% with text = "high" | ident %}{% include "lib/fragments/is_long.sql" %}{% endwith %} AS is_long,
        greatest(length(regexp_extract(low, '^-?0*(\d*)', 1)), length(regexp_extract(high, '^-?0*(\d*)', 1))) AS n_whole,
        greatest(length(regexp_extract(low, '[.](\d+)$', 1)), length(regexp_extract(high, '[.](\d+)$', 1))) AS n_point
    FROM part
    WHERE lower(low) NOT IN ('null', 'nan', 'inf', '-inf', 'infinity', '-infinity')
)

SELECT
    position, count(*) AS n_shown, count(*) FILTER (WHERE is_range) AS n_ranges,
    count(*) FILTER (WHERE is_plain) AS n_plain, count(*) FILTER (WHERE is_plain AND is_long) AS n_long,
    coalesce(max(n_whole) FILTER (WHERE is_plain), 0) AS n_whole, coalesce(max(n_point) FILTER (WHERE is_plain), 0) AS n_point,
    CASE WHEN count(*) FILTER (WHERE regexp_matches(low || ' ' || high, '[.]\d{7,9}( |$)')) > 0
        THEN count(*) FILTER (WHERE TRY_CAST(low AS TIMESTAMP_NS) IS NOT NULL AND TRY_CAST(high AS TIMESTAMP_NS) IS NOT NULL)
        ELSE 0 END AS n_nanoseconds,
    count(*) FILTER (WHERE is_whole AND (TRY_CAST(low AS BIGINT) <= TRY_CAST(high AS BIGINT)) IS NOT NULL) AS n_integers,
    count(*) FILTER (WHERE is_whole AND (TRY_CAST(low AS HUGEINT) <= TRY_CAST(high AS HUGEINT)) IS NOT NULL) AS n_huge,
    count(*) FILTER (WHERE is_whole AND (TRY_CAST(low AS UHUGEINT) <= TRY_CAST(high AS UHUGEINT)) IS NOT NULL) AS n_unsigned,
    count(*) FILTER (WHERE isfinite(TRY_CAST(low AS DOUBLE)) AND isfinite(TRY_CAST(high AS DOUBLE))) AS n_numbers,
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
FROM ends
GROUP BY position;
