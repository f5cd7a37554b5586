-- learn/generalized/class_count.sql: the classes at every code, generalized values shared out on what they may be; of
-- an attribute with ranges only what is unknown (code 0) and all that is known (code 1).
--
-- in:      ppdt_form_count (node_id, attribute_id, code, target, weight);
--          ppdt_event (node_id, attribute_id, code, target, weight, change);
--          ppdt_form_member_<i> (code, member, place, n_members)
-- out:     ppdt_class_count (node_id, attribute_id, code, target, weight)
--          one row per (node_id, attribute_id, code, target)
-- keeps:   the weights of a node's classes add up the same for every attribute
WITH single AS (
{% for attribute in attributes if attribute.spread != "span" %}
    SELECT node_id, attribute_id, code, target, weight
    FROM ppdt_form_count
    WHERE attribute_id = {{ attribute.position | literal }}{% if attribute.spread %} AND code <= {{ attribute.value_mask | literal }}{% endif %}

{% if spans or sets or not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
{% for attribute in sets %}
    SELECT form.node_id, form.attribute_id, part.member AS code, form.target,
        form.weight // part.n_members
        + CASE WHEN part.place = part.n_members THEN form.weight % part.n_members ELSE 0 END AS weight
    FROM ppdt_form_count AS form
    INNER JOIN {{ attribute.form_member_relation }} AS part ON part.code = form.code
    WHERE form.attribute_id = {{ attribute.position | literal }}
{% if spans or not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
{% if spans %}
    SELECT node_id, attribute_id, CAST(code > 0 AS BIGINT) AS code, target,
        weight + CAST(change AS HUGEINT) * (1 - code) AS weight
    FROM ppdt_event
{% endif %}
)

SELECT
    node_id,
    attribute_id,
    CAST(code AS INTEGER) AS code,
    target,
    CAST(sum(weight) AS BIGINT) AS weight
FROM single
GROUP BY node_id, attribute_id, code, target;
