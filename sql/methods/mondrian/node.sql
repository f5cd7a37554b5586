-- methods/mondrian/node.sql: the normalized width of every attribute in the nodes that could be cut.
--
-- in:      ppdt_span (node_id, n_rows, lo_<o>, hi_<o>, finite_<o>, n_values_<c>);
--          ppdt_position (position_<o>); ppdt_code_<i> (code, position)
-- out:     ppdt_node (node_id, n_rows, width_<i>)
--          one row per open node with at least 2 k rows
-- params:  $k
-- keeps:   width -1 where the node holds a single value; ordered: by the values, NULL apart;
--          categorical: (values in the node - 1) / (values in the table - 1)
-- paper:   LeFevre, DeWitt, Ramakrishnan 2006, section 3
SELECT
    span.node_id,
    span.n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
    CASE
        WHEN span.{{ attribute.lo }} = span.{{ attribute.hi }} THEN -1
        ELSE coalesce(round({% with table = "span" %}{% include "lib/fragments/reach.sql" %}{% endwith %}, 12), 0)
    END AS {{ attribute.width }}{{ comma(loop) }}
{% else %}
    CASE
        WHEN span.{{ attribute.n_values }} = 1 THEN -1
        ELSE round(
            CAST(span.{{ attribute.n_values }} - 1 AS DOUBLE)
            / {{ (attribute.n_codes - 1) | literal }}, 12)
    END AS {{ attribute.width }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM ppdt_span AS span
{% with table = "span" %}{% include "lib/fragments/positions.sql" %}{% endwith %}
WHERE span.n_rows >= 2 * $k;
