-- mondrian/slice.sql: how far the rows of each lot of codes of each attribute reach in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>); ppdt_lot (node_id, attribute_id, code, until_code);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_slice (node_id, attribute_id, until_code, hi_<o>, finite_<o>, codes_<c>)
--          one row per (node_id, attribute_id, until_code)
WITH cut AS (
    SELECT DISTINCT node_id, attribute_id
    FROM ppdt_lot
),

coded AS (
    SELECT
        cut.node_id,
        cut.attribute_id,
        {% include "form/code.sql" %} AS code,{% include "form/codes.sql" %}

    FROM ppdt_open AS open
    INNER JOIN cut ON cut.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = cut.attribute_id
)

SELECT
    coded.node_id,
    coded.attribute_id,
    lot.until_code,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
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
FROM coded
INNER JOIN ppdt_lot AS lot
    ON lot.node_id = coded.node_id AND lot.attribute_id = coded.attribute_id AND lot.code = coded.code
GROUP BY coded.node_id, coded.attribute_id, lot.until_code;
