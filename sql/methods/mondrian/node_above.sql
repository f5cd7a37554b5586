-- methods/mondrian/node_above.sql: the nodes that hold each code, for the attributes that have a hierarchy.
--
-- in:      ppdt_node_<i> (node_id, depth, first_code, last_code); ppdt_code_<i> (code, position)
-- out:     ppdt_node_above (attribute_id, code, depth, branch_id, share)
--          one row per (attribute_id, code, depth), from the root to the value itself
-- keeps:   the share of a node is its extent for numbers and times, else its part of the values; 0 of one
{% for attribute in attributes if attribute.has_hierarchy %}
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    dictionary.code,
    node.depth,
    node.node_id AS branch_id,
    CASE
        WHEN node.first_code = node.last_code THEN 0
        ELSE round(coalesce(
            max(dictionary.position) OVER (PARTITION BY node.node_id)
            - min(dictionary.position) OVER (PARTITION BY node.node_id),
            (node.last_code - node.first_code + 1) / CAST({{ attribute.n_codes | literal }} AS DOUBLE)
        ), 12)
    END AS share
FROM {{ attribute.dictionary | ident }} AS dictionary
INNER JOIN {{ attribute.node | ident }} AS node
    ON node.first_code <= dictionary.code AND node.last_code >= dictionary.code
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
