-- mondrian/slice.sql: how far the rows at each code of each attribute reach in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_slice (node_id, attribute_id, code, lo_<o>, hi_<o>, finite_<o>, codes_<c>)
--          one row per (node_id, attribute_id, code)
WITH placed AS (
    SELECT
        pick.node_id,
        pick.attribute_id,
        {% include "form/code.sql" %} AS code,{% include "form/codes.sql" %}

    FROM ppdt_open AS open
    INNER JOIN ppdt_pick AS pick ON pick.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = pick.attribute_id
)

SELECT
    node_id,
    attribute_id,
    code,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
    min({{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max({{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }},
    min({{ attribute.code | ident }})
        FILTER (WHERE {{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ ("finite_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% elif attribute.has_hierarchy %}
    min({{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max({{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% elif attribute.set_form == "list" %}
    bitstring_agg({{ attribute.code | ident }}, 0, {{ (attribute.n_codes - 1) | literal }}) AS {{ ("codes_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
    bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << {{ attribute.code | ident }}) AS {{ ("codes_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
FROM placed
GROUP BY node_id, attribute_id, code;
