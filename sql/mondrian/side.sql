-- mondrian/side.sql: how far both sides of every balanced cut reach in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, q<i>); ppdt_balance (node_id, attribute_id, at_code)
-- out:     ppdt_side (node_id, attribute_id, at_code, is_right, n_rows, lo_<o>, hi_<o>, finite_<o>, n_values_<c>)
--          one row per (node_id, attribute_id, at_code, is_right)
WITH placed AS (
    SELECT
        balance.node_id,
        balance.attribute_id,
        balance.at_code,
        CASE balance.attribute_id
{% for attribute in attributes %}
            WHEN {{ attribute.position | literal }} THEN open.{{ attribute.code | ident }} > balance.at_code
{% endfor %}
        END AS is_right,
        open.n_rows,
{% for attribute in attributes %}
        open.{{ attribute.code | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    FROM ppdt_open AS open
    INNER JOIN ppdt_balance AS balance ON balance.node_id = open.node_id
)

SELECT
    node_id,
    attribute_id,
    at_code,
    is_right,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
    {% include "form/span.sql" %}

FROM placed
GROUP BY node_id, attribute_id, at_code, is_right;
