-- methods/mict/complying.sql: the cells of a level without those of groups that break the guarantee.
--
-- in:      ppdt_path_group (cell_id, node_id, group_id, q<i>); ppdt_broken (group_id)
-- out:     ppdt_complying (cell_id, node_id, group_id, q<i>)
--          one row per cell
SELECT
    shared.cell_id,
    shared.node_id,
    shared.group_id,
{% for attribute in attributes %}
    shared.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_path_group AS shared
ANTI JOIN ppdt_broken AS broken ON broken.group_id = shared.group_id;
