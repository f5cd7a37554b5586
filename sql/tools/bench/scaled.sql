-- tools/bench/scaled.sql: every complete row of a table, and variations of it that keep some of its values and
-- draw the others from the domains.
--
-- in:      the source
-- out:     scaled (the attributes of the source, its target)
--          one row per complete row and variation
-- keeps:   the draws follow from a digest of the row's place in order: the same rows on every engine
-- paper:   Kisilevich et al. 2010, section 5.8
WITH complete AS (
    SELECT
        row_number() OVER (
            ORDER BY {% for column in columns %}source.{{ column | ident }} ASC, {% endfor %}source.{{ goal | ident }} ASC
        ) AS place,
{% for column in columns %}
        source.{{ column | ident }},
{% endfor %}
        source.{{ goal | ident }}
    FROM {{ source }} AS source
    WHERE {% for column in known %}source.{{ column | ident }} IS NOT NULL{% if not loop.last %} AND {% endif %}{% endfor %}

),

domain AS (
    SELECT
{% for column in columns %}
        list(DISTINCT {{ column | ident }} ORDER BY {{ column | ident }} ASC) AS {{ nth("domain", loop) }}
        {{- comma(loop) }}
{% endfor %}
    FROM complete
),

drawn AS (
    SELECT
        place,
        variation,
        sha256(concat_ws('|', place, variation)) AS digest
    FROM complete
    CROSS JOIN range({{ scale | literal }}) AS axis (variation)
),

masked AS (
    SELECT
        place,
        variation,
        digest,
        list_extract({{ masks | literal }}, 1 + CAST(concat('0x', left(digest, 8)) AS BIGINT) % {{ masks | length | literal }}) AS mask
    FROM drawn
)

SELECT
{% for column in columns %}
    CASE
        WHEN masked.variation = 0 OR (masked.mask >> {{ loop.index0 | literal }}) & 1 = 1 THEN complete.{{ column | ident }}
        ELSE list_extract(
            domain.{{ nth("domain", loop) }},
            1 + CAST(concat('0x', substr(masked.digest, {{ (9 + 8 * loop.index0) | literal }}, 8)) AS BIGINT)
                % len(domain.{{ nth("domain", loop) }}))
    END AS {{ column | ident }},
{% endfor %}
    complete.{{ goal | ident }}
FROM masked
INNER JOIN complete ON complete.place = masked.place
CROSS JOIN domain;
