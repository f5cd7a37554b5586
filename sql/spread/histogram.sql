-- spread/histogram.sql: the classes at every code, generalized values shared out on what they may be.
--
-- in:      ppdt_form_count (node_id, attribute_id, code, target, weight);
--          ppdt_event (node_id, attribute_id, code, target, weight, change, n_ranges);
--          ppdt_set_<i> (code, member, place, n_members)
-- out:     ppdt_histogram (node_id, attribute_id, code, target, weight)
--          one row per (node_id, attribute_id, code, target)
-- keeps:   a code that a range covers is there, also where too little weight is left to reach it
WITH {% if spans %}running AS (
    SELECT
        node_id, attribute_id, target, code,
        lead(code) OVER up AS next_code,
        sum(change) OVER up AS weight,
        sum(n_ranges) OVER up AS n_ranges
    FROM ppdt_event
    WINDOW up AS (PARTITION BY node_id, attribute_id, target ORDER BY code ASC)
),

{% endif %}
single AS (
{% for attribute in attributes %}
    SELECT node_id, attribute_id, code, target, weight
    FROM ppdt_form_count
    WHERE attribute_id = {{ attribute.position | literal }}{% if attribute.spread %} AND code <= {{ attribute.value_mask | literal }}{% endif %}

{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
{% for attribute in sets %}
    UNION ALL
    SELECT form.node_id, form.attribute_id, part.member, form.target,
        form.weight // part.n_members
        + CASE WHEN part.place = part.n_members THEN form.weight % part.n_members ELSE 0 END
    FROM ppdt_form_count AS form
    INNER JOIN {{ ("ppdt_set_%d" % attribute.position) | ident }} AS part ON part.code = form.code
    WHERE form.attribute_id = {{ attribute.position | literal }}
{% endfor %}
{% if spans %}
    UNION ALL
    SELECT node_id, attribute_id, code, target, weight
    FROM ppdt_event
    WHERE weight > 0
    UNION ALL
    SELECT node_id, attribute_id, unnest(range(code, next_code)), target, weight
    FROM running
    WHERE n_ranges > 0
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
