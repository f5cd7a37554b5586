-- methods/node_risk/left_steps.sql: what the tests on the way to every node leave of an ordered attribute.
--
-- in:      ppdt_above (node_id, above_id); ppdt_way (node_id, attribute_id, test, tested);
--          ppdt_code_<i> (value, n_steps)
-- out:     ppdt_remaining (node_id, attribute_id, n_left, n_whole)
--          one row per node that has the attribute tested on its way
-- keeps:   both count steps of the type from end to end; a threshold between two steps stands at the lower;
--          gap <= n_left <= n_whole: the branch of a missing value, and an interval without extent, count as
--          the least distance between two values of the column, so that its type makes no difference
-- paper:   Yang, Wang, Hu, Li 2019, definition 1
WITH {% if attribute.is_scaled %}scale AS (
    {%+ with table = attribute.dictionary %}{% include "lib/fragments/scale.sql" %}{% endwith %}

),

{% endif %}
ends AS (
    SELECT
        {%+ with table = attribute.dictionary %}{% include "lib/fragments/least_gap.sql" %}{% endwith %} AS gap,
        min(value) FILTER (WHERE n_steps IS NOT NULL) AS lo_value,
        max(value) FILTER (WHERE n_steps IS NOT NULL) AS hi_value,
        coalesce(min(n_steps), 0) AS lo_steps,
        coalesce(max(n_steps), 0) AS hi_steps
    FROM {{ attribute.dictionary | ident }}
),

threshold AS (
    SELECT
        way.node_id,
        way.test,
        least(greatest(TRY_CAST(way.tested AS {{ type_name }}), ends.lo_value), ends.hi_value) AS at_value
    FROM ppdt_way AS way
    CROSS JOIN ends
    WHERE way.attribute_id = {{ attribute.position | literal }}
),

stepped AS (
    SELECT node_id, test, at_value, CAST(at_value AS {{ held_type }}) AS value
    FROM threshold
),

placed AS (
    SELECT node_id, test, {% include "lib/fragments/steps.sql" %} - CAST(value > at_value AS INTEGER) AS n_steps
    FROM stepped
{% if attribute.is_scaled %}
    CROSS JOIN scale
{% endif %}
)

SELECT
    above.node_id,
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CASE
        WHEN bool_or(placed.test = 'missing') THEN any_value(ends.gap)
        ELSE greatest(any_value(ends.gap), least(
            any_value(ends.hi_steps) - any_value(ends.lo_steps),
            coalesce(min(placed.n_steps) FILTER (WHERE placed.test = '<='), any_value(ends.hi_steps))
            - coalesce(max(placed.n_steps) FILTER (WHERE placed.test = '>'), any_value(ends.lo_steps))
        ))
    END AS n_left,
    greatest(any_value(ends.gap), any_value(ends.hi_steps) - any_value(ends.lo_steps)) AS n_whole
FROM ppdt_above AS above
INNER JOIN placed ON placed.node_id = above.above_id
CROSS JOIN ends
GROUP BY above.node_id;
