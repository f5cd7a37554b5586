-- learn/trees/code.sql: the values of one column of any relation, in the codes of a tree: 0 is missing; of a
-- number 1 and the count of thresholds below it; of a category 1 and its place in the tree's list,
-- or 1 where the tree has never seen it.
--
-- in:      ppdt_value (value)
-- out:     ppdt_code_<i> (code, value)
--          one row per value
-- params:  $values
{% if attribute.kind == "ordered" %}
WITH event AS (
    SELECT value, value AS place, 0 AS is_threshold
    FROM ppdt_value
    UNION ALL
    SELECT NULL, CAST(unnest(CAST($values AS VARCHAR[])) AS {{ type_name }}), 1
),

counted AS (
    SELECT
        value,
        is_threshold,
        sum(is_threshold) OVER (
            ORDER BY place ASC NULLS FIRST, is_threshold ASC
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS n_below
    FROM event
)

SELECT
    CAST(CASE
        WHEN value IS NULL{% if attribute.has_special %} OR NOT isfinite(value){% endif %} THEN 0
        ELSE 1 + n_below
    END AS INTEGER) AS code,
    value
FROM counted
WHERE is_threshold = 0;
{% else %}
SELECT
    CAST(CASE
        WHEN value IS NULL THEN 0
        ELSE 1 + coalesce(list_position($values, {% if attribute.type_name == "TIMESTAMP WITH TIME ZONE" %}concat(CAST(make_timestamp(epoch_us(value)) AS VARCHAR), '+00'){% else %}CAST(value AS VARCHAR){% endif %} COLLATE "binary"), 0)
    END AS INTEGER) AS code,
    value
FROM ppdt_value;
{% endif %}
