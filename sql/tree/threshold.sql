-- tree/threshold.sql: the threshold of every cut: the largest value of the whole table that does not
-- lie above the midpoint of the two values that the cut parts.
--
-- in:      ppdt_inner (node_id, attribute_id, at_code, next_code); ppdt_code_<i> (code, unit)
-- out:     ppdt_threshold (node_id, at_code)
--          one row per numeric inner node
-- paper:   Quinlan 1993, C4.5
WITH axis AS (
{% for attribute in attributes %}
    SELECT CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code, unit
    FROM {{ attribute.dictionary | ident }}
    WHERE unit IS NOT NULL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

event AS (
    SELECT attribute_id, 2 * unit AS twice, code, NULL AS node_id
    FROM axis
    UNION ALL
    SELECT split.attribute_id, low.unit + high.unit, NULL, split.node_id
    FROM ppdt_inner AS split
    INNER JOIN axis AS low
        ON low.attribute_id = split.attribute_id AND low.code = split.at_code
    INNER JOIN axis AS high
        ON high.attribute_id = split.attribute_id AND high.code = split.next_code
),

reached AS (
    SELECT node_id, max(code) OVER (PARTITION BY attribute_id ORDER BY twice ASC) AS at_code
    FROM event
)

SELECT CAST(node_id AS INTEGER) AS node_id, at_code
FROM reached
WHERE node_id IS NOT NULL;
