-- mondrian/loss.sql: the normalized certainty penalty that the two sides of a cut would have.
--
-- in:      ppdt_side (node_id, attribute_id, is_right, n_rows, lo_<o>, hi_<o>, finite_<o>, n_values_<c>);
--          ppdt_code_<i> (code, position)
-- out:     ppdt_loss (node_id, attribute_id, loss)
--          one row per (node_id, attribute_id)
WITH penalty AS (
    SELECT
        side.node_id,
        side.attribute_id,
        side.n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
        {% if not loop.first %}+ {% endif %}coalesce(greatest(
            {{ ("high_%d" % attribute.position) | ident }}.position - {{ ("low_%d" % attribute.position) | ident }}.position, 0), 0)
{% else %}
        {% if not loop.first %}+ {% endif %}CASE WHEN side.{{ ("n_values_%d" % attribute.position) | ident }} = 1 THEN 0
            ELSE CAST(side.{{ ("n_values_%d" % attribute.position) | ident }} AS DOUBLE) / {{ attribute.n_codes | literal }} END
{% endif %}
{% endfor %}
        AS penalty
    FROM ppdt_side AS side
{% for attribute in attributes if attribute.kind == "ordered" %}
    LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("low_%d" % attribute.position) | ident }}
        ON {{ ("low_%d" % attribute.position) | ident }}.code = side.{{ ("finite_%d" % attribute.position) | ident }}
    LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("high_%d" % attribute.position) | ident }}
        ON {{ ("high_%d" % attribute.position) | ident }}.code = side.{{ ("hi_%d" % attribute.position) | ident }}
{% endfor %}
)

SELECT node_id, attribute_id, sum(CAST(n_rows * penalty AS DECIMAL(38, 12))) AS loss
FROM penalty
GROUP BY node_id, attribute_id;
