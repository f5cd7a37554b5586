-- encode/bins/highest.sql: the source with the highest value of its bin in place of every number and date.
--
-- in:      the source; ppdt_bin (attribute_id, low)
-- out:     ppdt_highest (every column of the source)
--          one row per row of the source
-- keeps:   a value lies in the last bin whose lower end it reaches; the lowest bin has none; NULL, NaN
--          and infinities stay what they are; columns keep their types
WITH bin AS (
    SELECT attribute_id, low
    FROM ppdt_bin
){% for column, attribute in binned.items() %},

{{ attribute.low }} AS (
    SELECT CAST(bin.low AS {{ attribute.held_type }}) AS low
    FROM bin
    WHERE bin.attribute_id = {{ attribute.position | literal }} AND bin.low IS NOT NULL
),

{{ attribute.bin }} AS (
    SELECT {{ attribute.low }}.low, max({{ ("source", column) | ident }}) AS highest
    FROM {{ source }} AS source
    ASOF LEFT JOIN {{ attribute.low }}
        ON {{ ("source", column) | ident }} >= {{ attribute.low }}.low
    WHERE {% if attribute.has_special %}isfinite({{ ("source", column) | ident }}){% else %}{{ ("source", column) | ident }} IS NOT NULL{% endif %}

    GROUP BY {{ attribute.low }}.low
){% endfor %}

SELECT
{% for column in columns %}
{% if column in binned %}
{% set attribute = binned[column] %}
    CASE
        WHEN {{ ("source", column) | ident }} IS NULL{% if attribute.has_special %} OR NOT isfinite({{ ("source", column) | ident }}){% endif %} THEN {{ ("source", column) | ident }}
        ELSE coalesce({{ attribute.bin }}.highest, (SELECT lowest.highest FROM {{ attribute.bin }} AS lowest WHERE lowest.low IS NULL))
    END AS {{ column | ident }}{{ comma(loop) }}
{% else %}
    source.{{ column | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM {{ source }} AS source
{% for column, attribute in binned.items() %}
ASOF LEFT JOIN (
    SELECT above.low, above.highest
    FROM {{ attribute.bin }} AS above
    WHERE above.low IS NOT NULL
) AS {{ attribute.bin }}
    ON {{ ("source", column) | ident }} >= {{ attribute.bin }}.low
{% endfor %};
