-- audit/alone.sql: how many rows stand alone in each of several sets of columns.
--
-- in:      the release, or the same with its entities, which only the audit sees
-- out:     ppdt_alone (set_id, n_rows, n_rows_alone)
--          one row per set
-- keeps:   NULL and NaN are values; rows that one entity alone has in common stand alone, too
{% for set in sets %}
SELECT
    {{ loop.index0 | literal }} AS set_id,
    CAST(coalesce(sum(held.n_rows), 0) AS BIGINT) AS n_rows,
    CAST(coalesce(sum(held.n_rows) FILTER (WHERE held.is_alone), 0) AS BIGINT) AS n_rows_alone
FROM (
    SELECT
        {%+ with quasi = set %}{% include "lib/fragments/group.sql" %}{% endwith %},
        count(*) AS n_rows,
{% if entity is none %}
        count(*) = 1 AS is_alone
{% else %}
        min(release.{{ entity | ident }}) IS NOT DISTINCT FROM max(release.{{ entity | ident }})
            AND count(release.{{ entity | ident }}) IN (0, count(*)) AS is_alone
{% endif %}
    FROM {{ release }} AS release
    GROUP BY ALL
) AS held
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
