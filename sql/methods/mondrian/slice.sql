-- methods/mondrian/slice.sql: how far the rows of each bucket of codes of each attribute reach in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>); ppdt_bucket (node_id, attribute_id, code, until_code);
--          ppdt_field (attribute_id, word, shift, mask)
-- out:     ppdt_slice (node_id, attribute_id, until_code, hi_<o>, finite_<o>, codes_<c>)
--          one row per (node_id, attribute_id, until_code)
WITH cut AS (
    SELECT DISTINCT node_id, attribute_id
    FROM ppdt_bucket
),

coded AS (
    SELECT
        cut.node_id,
        cut.attribute_id,
        {%+ include "lib/fragments/code.sql" %} AS code,{% include "lib/fragments/codes.sql" %}

    FROM ppdt_open AS open
    INNER JOIN cut ON cut.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = cut.attribute_id
)

SELECT
    coded.node_id,
    coded.attribute_id,
    bucket.until_code,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
    max({{ attribute.code | ident }}) AS {{ attribute.hi }},
    min({{ attribute.code | ident }})
        FILTER (WHERE {{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ attribute.finite }}{{ comma(loop) }}
{% elif attribute.has_hierarchy %}
    min({{ attribute.code | ident }}) AS {{ attribute.lo }},
    max({{ attribute.code | ident }}) AS {{ attribute.hi }}{{ comma(loop) }}
{% elif attribute.set_form == "list" %}
    bitstring_agg({{ attribute.code | ident }}, 0, {{ (attribute.n_codes - 1) | literal }}) AS {{ attribute.codes }}{{ comma(loop) }}
{% else %}
    bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << {{ attribute.code | ident }}) AS {{ attribute.codes }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM coded
INNER JOIN ppdt_bucket AS bucket
    ON bucket.node_id = coded.node_id AND bucket.attribute_id = coded.attribute_id AND bucket.code = coded.code
GROUP BY coded.node_id, coded.attribute_id, bucket.until_code;
