-- audit/reach.sql: what the ends of labels look like, so that they are read in a type that holds them.
--
-- in:      the classes of a release, or its labels
-- out:     ppdt_reach (n_ends, n_plain, n_doubles, n_long, n_moments, n_nanoseconds, n_times, n_whole, n_point)
--          one row: how many different ends there are, how many are plain decimal numbers, can be read as
--          DOUBLEs, as moments, as times; the most digits before and after the point
-- keeps:   a long number has more digits than the text of a DOUBLE; NULL, NaN and infinities are no ends
WITH label AS (
{% for column in columns %}
    SELECT DISTINCT CAST(label.{{ column | ident }} AS VARCHAR) AS label
    FROM {{ relation }} AS label
    {%+ if not loop.last %}UNION ALL{% endif %}

{% endfor %}
),

part AS (
    SELECT coalesce(nullif(regexp_extract(label, '^\[(.+), (.+)\]( or .+)?$', 1), ''), split_part(label, ' or ', 1)) AS part
    FROM label
    UNION
    SELECT coalesce(nullif(regexp_extract(label, '^\[(.+), (.+)\]( or .+)?$', 2), ''), split_part(label, ' or ', 1))
    FROM label
),

written AS (
    SELECT
        part,
        regexp_matches(part, '^-?[0-9]+([.][0-9]+)?$') AS is_plain,
        length(regexp_extract(part, '^-?0*([0-9]*)', 1)) AS n_whole,
        length(regexp_extract(part, '[.]([0-9]+)$', 1)) AS n_point,
        length(regexp_replace(regexp_replace(part, '^-?0*[.]?0*', ''), '[.]', '')) AS n_digits
    FROM part
    WHERE lower(part) NOT IN ('null', 'nan', 'inf', '-inf', 'infinity', '-infinity')
)

SELECT
    count(*) AS n_ends,
    count(*) FILTER (WHERE is_plain) AS n_plain,
    count(*) FILTER (WHERE TRY_CAST(part AS DOUBLE) IS NOT NULL) AS n_doubles,
    count(*) FILTER (WHERE is_plain AND (n_digits >= 18 OR (n_whole >= 16 AND n_point = 0))) AS n_long,
    count(*) FILTER (WHERE TRY_CAST(part AS TIMESTAMP) IS NOT NULL) AS n_moments,
    count(*) FILTER (WHERE regexp_matches(part, '[.][0-9]{7,9}([+-].*)?$')) AS n_nanoseconds,
    count(*) FILTER (WHERE TRY_CAST(part AS TIME) IS NOT NULL) AS n_times,
    coalesce(max(n_whole) FILTER (WHERE is_plain), 0) AS n_whole,
    coalesce(max(n_point) FILTER (WHERE is_plain), 0) AS n_point
FROM written;
