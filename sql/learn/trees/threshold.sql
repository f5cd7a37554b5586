-- learn/trees/threshold.sql: the threshold of every cut: the largest value of the whole table that does not
-- lie above the midpoint of the two values that the cut parts.
--
-- in:      ppdt_inner (node_id, attribute_id, at_code, next_code); ppdt_code_<i> (code, value, n_steps)
-- out:     ppdt_threshold (node_id, at_code)
--          one row per numeric inner node
-- keeps:   0.561 lies in the middle of 0.557 and 0.565, though as floats they say otherwise: 2^9 units
--          are a quarter of a billionth of a millionth of the largest value; units of one sign are
--          subtracted, of two signs added, so neither overflows
-- paper:   Quinlan 1993, C4.5
WITH axis AS (
{% for attribute in attributes %}
    SELECT CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code,
        {%+ if attribute.is_scaled and attribute.family != "float" %}{% with number = "value" | ident, type_name = attribute.type_name %}{% include "lib/fragments/whole.sql" %}{% endwith %}{% else %}n_steps{% endif %} AS n_steps,
        {{ (512 if attribute.family == "float" else 0) | literal }} AS slack
    FROM {{ attribute.dictionary | ident }}
    WHERE n_steps IS NOT NULL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

event AS (
    SELECT attribute_id, n_steps AS place, code, NULL AS next_code, NULL AS node_id
    FROM axis
    UNION ALL
    SELECT
        split.attribute_id,
        CASE
            WHEN (low.n_steps < 0) = (high.n_steps < 0)
                THEN low.n_steps + CAST(high.n_steps - low.n_steps + high.slack AS HUGEINT) // 2
            ELSE CAST(
                low.n_steps + high.n_steps + high.slack - abs((low.n_steps + high.n_steps + high.slack) % 2) AS HUGEINT
            ) // 2
        END,
        NULL, high.code, split.node_id
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
