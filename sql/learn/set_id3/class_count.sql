-- learn/set_id3/class_count.sql: what a level's histogram of sets says of their members: each of r members counts
-- 1 / r, or 1, or the set is a value of its own.
--
-- in:      ppdt_set_count (node_id, attribute_id, code, target, weight);
--          ppdt_set_share (attribute_id, set_code, code, place, n_members);
--          ppdt_member_count (node_id, attribute_id, code)
-- out:     ppdt_class_count (node_id, attribute_id, code, target, weight)
--          one row per (node_id, attribute_id, code, target)
-- keeps:   the parts of a weight add up to it, exactly (but where each member counts 1); only columns that would part a node's rows
--          once their sets are converted, so no column is taken twice on a path
-- paper:   Shao, Beckford, section IV A
WITH parting AS (
    SELECT node_id, attribute_id
    FROM ppdt_member_count
    GROUP BY node_id, attribute_id
    HAVING count(DISTINCT code) >= 2
)

{% if scoring == "own_value" %}
SELECT
    set_count.node_id,
    parting.attribute_id,
    CAST(set_count.code + 1 AS INTEGER) AS code,
    set_count.target,
    set_count.weight
FROM ppdt_set_count AS set_count
INNER JOIN parting
    ON parting.node_id = set_count.node_id
    AND parting.attribute_id = set_count.attribute_id - {{ n_features | literal }};
{% else %}
SELECT
    set_count.node_id,
    set_share.attribute_id,
    set_share.code,
    set_count.target,
    CAST(sum(
{% if scoring == "each_member" %}
        set_count.weight
{% else %}
        set_count.weight * (set_share.place + 1) // set_share.n_members
        - set_count.weight * set_share.place // set_share.n_members
{% endif %}
    ) AS BIGINT) AS weight
FROM ppdt_set_count AS set_count
SEMI JOIN parting
    ON parting.node_id = set_count.node_id
    AND parting.attribute_id = set_count.attribute_id - {{ n_features | literal }}
INNER JOIN ppdt_set_share AS set_share
    ON set_share.attribute_id = set_count.attribute_id - {{ n_features | literal }}
    AND set_share.set_code = set_count.code
GROUP BY set_count.node_id, set_share.attribute_id, set_share.code, set_count.target;
{% endif %}
