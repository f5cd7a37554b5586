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
    min(cell.{{ attribute.code | ident }}) AS {{ attribute.lo }},
    max(cell.{{ attribute.code | ident }}) AS {{ attribute.hi }}{{ comma(loop) }}
{% elif attribute.has_ends %}
    {%+ include "lib/fragments/finite_reach.sql" %}{{ comma(loop) }}
{% elif attribute.set_form == "small" %}
    bit_or(CAST(1 AS BIGINT) << cell.{{ attribute.code | ident }}) AS {{ attribute.codes }}{{ comma(loop) }}
{% elif attribute.set_form == "wide" %}
    bit_or(CAST(1 AS HUGEINT) << cell.{{ attribute.code | ident }}) AS {{ attribute.codes }}{{ comma(loop) }}
{% else %}
    list_sort(list(DISTINCT CAST(cell.{{ attribute.code | ident }} AS INTEGER)), 'ASC') AS {{ attribute.codes }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM ppdt_part AS part
INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
GROUP BY part.class_id;
