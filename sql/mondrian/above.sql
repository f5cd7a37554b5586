-- mondrian/above.sql: the nodes that hold each code, for the attributes that have a hierarchy.
--
-- in:      ppdt_node_<i> (node_id, depth, first_code, last_code); ppdt_code_<i> (code)
-- out:     ppdt_above (attribute_id, code, depth, branch_id)
--          one row per (attribute_id, code, depth), from the root to the value itself
{% for attribute in attributes if attribute.has_hierarchy %}
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    dictionary.code,
    node.depth,
    node.node_id AS branch_id
FROM {{ attribute.dictionary | ident }} AS dictionary
INNER JOIN {{ attribute.node | ident }} AS node
    ON node.first_code <= dictionary.code AND node.last_code >= dictionary.code
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
