-- learn/trees/class_count.sql: the classes at every code of every attribute, for all nodes of a level at once.
--
-- in:      ppdt_growing (node_id, target, weight, q<i>); ppdt_splittable (node_id)
-- out:     ppdt_class_count (node_id, attribute_id, code, target, weight)
--          one row per (node_id, attribute_id, code, target)
-- keeps:   the keys travel as one packed integer, which groups several times faster
WITH counted AS (
{% for attribute in attributes %}
    SELECT
        CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
        (((CAST(open.node_id AS {{ key_type }}) << {{ code_bits | literal }})
            | open.{{ attribute.code | ident }}) << {{ class_bits | literal }}) | open.target AS packed,
        sum(open.weight) AS weight
    FROM ppdt_growing AS open
    SEMI JOIN ppdt_splittable AS node ON node.node_id = open.node_id
    GROUP BY packed
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT
    CAST(packed >> {{ (code_bits + class_bits) | literal }} AS INTEGER) AS node_id,
    attribute_id,
    CAST((packed >> {{ class_bits | literal }}) & {{ (2 ** code_bits - 1) | literal }} AS {{ form_type }}) AS code,
    CAST(packed & {{ (2 ** class_bits - 1) | literal }} AS INTEGER) AS target,
    CAST(weight AS BIGINT) AS weight
FROM counted;
