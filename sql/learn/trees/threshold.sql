-- tree/threshold.sql: the threshold of every cut: the largest value of the whole table that does not
-- lie above the midpoint of the two values that the cut parts.
--
-- in:      ppdt_inner (node_id, attribute_id, at_code, next_code); ppdt_code_<i> (code, value, unit)
-- out:     ppdt_threshold (node_id, at_code)
--          one row per numeric inner node
-- keeps:   0.561 lies in the middle of 0.557 and 0.565, though as floats they say otherwise: 2^9 units
--          are a quarter of a billionth of a millionth of the largest value
-- paper:   Quinlan 1993, C4.5
WITH axis AS (
{% for attribute in attributes %}
    SELECT CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code,
        {% if attribute.is_scaled and attribute.family != "float" %}{% with number = "value" | ident, type_name = attribute.type_name %}{% include "form/whole.sql" %}{% endwith %}{% else %}unit{% endif %} AS unit,
        {{ (512 if attribute.family == "float" else 0) | literal }} AS slack
    FROM {{ attribute.dictionary | ident }}
    WHERE unit IS NOT NULL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

event AS (
    SELECT attribute_id, unit AS place, code, NULL AS next_code, NULL AS node_id
    FROM axis
    UNION ALL
    SELECT split.attribute_id, {% include "form/halfway.sql" %}, NULL, high.code, split.node_id
    FROM ppdt_inner AS split
    INNER JOIN axis AS low
        ON low.attribute_id = split.attribute_id AND low.code = split.at_code
    INNER JOIN axis AS high
        ON high.attribute_id = split.attribute_id AND high.code = split.next_code
),

reached AS (
    SELECT
        node_id,
        next_code,
        max(code) OVER (PARTITION BY attribute_id ORDER BY place ASC) AS at_code
    FROM event
)

SELECT CAST(node_id AS INTEGER) AS node_id, least(at_code, next_code - 1) AS at_code
FROM reached
WHERE node_id IS NOT NULL;
