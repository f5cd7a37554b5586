-- learn/kadet/class_tally.sql: the classes at every code of every attribute, in the few nodes of a turn.
--
-- in:      ppdt_growing (node_id, target, weight, q<i>); ppdt_splittable (node_id)
-- out:     ppdt_class_count (node_id, attribute_id, code, target, weight)
--          one row per (node_id, attribute_id, code, target)
-- keeps:   one pass for all attributes: with few rows, what a statement has to plan costs most
WITH held AS (
    SELECT
        open.node_id,
        open.target,
        open.weight,
        unnest([{% for attribute in attributes %}{{ attribute.position | literal }}{% if not loop.last %}, {% endif %}{% endfor %}]) AS attribute_id,
        unnest([
{% for attribute in attributes %}
            CAST(open.{{ attribute.code | ident }} AS INTEGER){{ comma(loop) }}
{% endfor %}
        ]) AS code
    FROM ppdt_growing AS open
    SEMI JOIN ppdt_splittable AS node ON node.node_id = open.node_id
)

SELECT
    node_id,
    CAST(attribute_id AS INTEGER) AS attribute_id,
    code,
    CAST(target AS INTEGER) AS target,
    CAST(sum(weight) AS BIGINT) AS weight
FROM held
GROUP BY node_id, attribute_id, code, target;
