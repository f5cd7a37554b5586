-- encode/bins/binned.sql: the source with the words of their bins in place of numbers and dates.
--
-- in:      the source; ppdt_bin (attribute_id, low, words)
-- out:     ppdt_binned (every column of the source)
--          one row per row of the source
-- keeps:   a value lies in the last bin whose lower end it reaches; the lowest bin has none; NULL, NaN
--          and infinities stay what they are
WITH bin AS (
    SELECT attribute_id, low, words
    FROM ppdt_bin
)

SELECT
{% for column in columns %}
{% if column in binned %}
{% set attribute = binned[column] %}
    CASE
        WHEN {{ ("source", column) | ident }} IS NULL THEN NULL
{% if attribute.has_special %}
        WHEN NOT isfinite({{ ("source", column) | ident }}) THEN CAST({{ ("source", column) | ident }} AS VARCHAR)
{% endif %}
        ELSE coalesce({{ attribute.bin }}.words, (SELECT bin.words FROM bin WHERE bin.attribute_id = {{ attribute.position | literal }} AND bin.low IS NULL))
    END AS {{ column | ident }}{{ comma(loop) }}
{% else %}
    source.{{ column | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM {{ source }} AS source
{% for column, attribute in binned.items() %}
ASOF LEFT JOIN (
    SELECT CAST(bin.low AS {{ attribute.held_type }}) AS low, bin.words
    FROM bin
    WHERE bin.attribute_id = {{ attribute.position | literal }} AND bin.low IS NOT NULL
) AS {{ attribute.bin }}
    ON {{ ("source", column) | ident }} >= {{ attribute.bin }}.low
{% endfor %};
