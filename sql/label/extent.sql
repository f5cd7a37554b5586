-- label/extent.sql: the tight box of every class, in codes.
--
-- in:      ppdt_part (class_id, cell_id, n_rows); ppdt_cell (cell_id, q<i>)
-- out:     ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>)
--          one row per class
-- keeps:   lo and hi of an ordered attribute are of its finite values; `special` has a bit for each
--          code of NULL, NaN and the infinities; `codes` of a categorical, and of an ordered
--          attribute that is shown as a set, holds all of its codes; where nodes are shown, lo and hi are of all codes
SELECT
    part.class_id,
    CAST(sum(part.n_rows) AS BIGINT) AS n_rows,
{% for attribute in attributes %}
{% if attribute.recode == "node" %}
    min(cell.{{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max(cell.{{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% elif attribute.kind == "ordered" and attribute.recode != "set" %}
    min(cell.{{ attribute.code | ident }})
        FILTER (WHERE cell.{{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max(cell.{{ attribute.code | ident }})
        FILTER (WHERE cell.{{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ ("hi_%d" % attribute.position) | ident }},
{% if attribute.n_special > 0 %}
    coalesce(bit_or(CASE
        WHEN cell.{{ attribute.code | ident }} < {{ attribute.n_special | literal }}
            THEN CAST(1 AS INTEGER) << cell.{{ attribute.code | ident }}
    END), 0) AS {{ ("special_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
    0 AS {{ ("special_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% elif attribute.set_form == "list" %}
    list_sort(list(DISTINCT CAST(cell.{{ attribute.code | ident }} AS INTEGER)), 'ASC') AS {{ ("codes_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
    bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << cell.{{ attribute.code | ident }}) AS {{ ("codes_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
FROM ppdt_part AS part
INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
GROUP BY part.class_id;
