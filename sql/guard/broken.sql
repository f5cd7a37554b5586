-- guard/broken.sql: the groups that do not keep the guarantee.
--
-- in:      ppdt_scarce (group_id); ppdt_unfit, ppdt_far (node_id) where models are asked for
-- out:     ppdt_broken (group_id)
--          one row per group that breaks it
SELECT group_id
FROM ppdt_scarce
{% if guard.has_models %}
UNION
SELECT node_id
FROM ppdt_unfit
{% endif %}
{% if guard.t is not none and far_kinds %}
UNION
SELECT node_id
FROM ppdt_far
{% endif %}
ORDER BY group_id ASC;
