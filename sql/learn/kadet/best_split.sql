-- learn/kadet/best_split.sql: the best splits for the driver, and whether they divide a span.
--
-- in:      ppdt_best (node_id, attribute_id, at_code, next_code, ratio); ppdt_asked (node_id, scope_id);
--          ppdt_meeting (span_id, scope_id); ppdt_span_extent (span_id, attribute_id, lo_code, hi_code);
--          ppdt_attribute (attribute_id, n_special)
-- out:     ppdt_best_split (node_id, attribute_id, at_code, next_code, ratio, divides)
--          one row per node
-- keeps:   a split that divides no span now divides none later
{% if public %}
WITH dividing AS (
    SELECT best.node_id
    FROM ppdt_best AS best
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = best.attribute_id
    INNER JOIN ppdt_asked AS asked ON asked.node_id = best.node_id
    INNER JOIN ppdt_meeting AS meeting ON meeting.scope_id = asked.scope_id
    INNER JOIN ppdt_span_extent AS extent
        ON extent.span_id = meeting.span_id AND extent.attribute_id = best.attribute_id
    WHERE {% with cut = "best" %}{% include "lib/fragments/divides.sql" %}{% endwith %}

    GROUP BY best.node_id
)

{% endif %}
SELECT best.node_id, best.attribute_id, best.at_code, best.next_code, best.ratio,
    {%+ if public %}dividing.node_id IS NOT NULL{% else %}FALSE{% endif %} AS divides
FROM ppdt_best AS best
{% if public %}
LEFT JOIN dividing ON dividing.node_id = best.node_id
{% endif %}
ORDER BY best.node_id ASC;
