-- mondrian/node.sql: the normalized width of every attribute in the nodes that could be cut.
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
        WHEN span.{{ ("lo_%d" % attribute.position) | ident }} = span.{{ ("hi_%d" % attribute.position) | ident }} THEN -1
        ELSE coalesce(round(
            {% with text = ("span", "hi_%d" % attribute.position) | ident, alias = "high_%d" % attribute.position %}{% include "form/position.sql" %}{% endwith %}

            - {% with text = ("span", "finite_%d" % attribute.position) | ident, alias = "low_%d" % attribute.position %}{% include "form/position.sql" %}{% endwith %}, 12), 0)
    END AS {{ ("width_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
    CASE
        WHEN span.{{ ("n_values_%d" % attribute.position) | ident }} = 1 THEN -1
        ELSE round(
            CAST(span.{{ ("n_values_%d" % attribute.position) | ident }} - 1 AS DOUBLE)
            / {{ (attribute.n_codes - 1) | literal }}, 12)
    END AS {{ ("width_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
FROM ppdt_span AS span
{% with table = "span" %}{% include "form/positions.sql" %}{% endwith %}
WHERE span.n_rows >= 2 * $k;
