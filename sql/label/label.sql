-- label/label.sql: what every class shows for each quasi-identifier.
--
-- in:      ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>);
--          ppdt_code_<i> (code, value, shown); ppdt_set_<i>, ppdt_special_<i>, ppdt_common_<i>,
--          ppdt_centre_<i>
-- out:     ppdt_label (class_id, <label>)
--          one row per class
-- keeps:   a range reads `[lo, hi]`, a single value as itself; `or NULL` where the class holds NULL
SELECT
    extent.class_id,
{% for attribute in attributes %}
{% if attribute.recode == "range" %}
    {%+ include "lib/fragments/range_label.sql" %} AS {{ attribute.code | ident }}{{ comma(loop) }}
{% elif attribute.recode == "bounds" %}
    {%+ include "lib/fragments/bounds_label.sql" %}{{ comma(loop) }}
{% elif attribute.recode == "node" %}
    {{ attribute.common }}.words AS {{ attribute.code | ident }}{{ comma(loop) }}
{% elif attribute.recode in ("set", "bins") %}
    {{ attribute.set }}.members AS {{ attribute.code | ident }}{{ comma(loop) }}
{% else %}
    {{ attribute.centre }}.centre AS {{ attribute.code | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM ppdt_extent AS extent
{% for attribute in attributes %}
{% if attribute.recode in ("range", "bounds") %}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.low }}
    ON {{ attribute.low }}.code = extent.{{ attribute.lo }}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.high }}
    ON {{ attribute.high }}.code = extent.{{ attribute.hi }}
{% if attribute.recode == "range" and attribute.n_special > 0 %}
LEFT JOIN {{ attribute.special_relation }} AS {{ attribute.special }}
    ON {{ attribute.special }}.special = extent.{{ attribute.special }}
{% endif %}
{% elif attribute.recode == "node" %}
LEFT JOIN {{ attribute.common_relation }} AS {{ attribute.common }}
    ON {{ attribute.common }}.lo = extent.{{ attribute.lo }} AND {{ attribute.common }}.hi = extent.{{ attribute.hi }}
{% elif attribute.recode in ("set", "bins") %}
LEFT JOIN {{ attribute.set_relation }} AS {{ attribute.set }}
    ON {{ attribute.set }}.codes = extent.{{ attribute.codes }}
{% else %}
LEFT JOIN {{ attribute.centre_relation }} AS {{ attribute.centre }}
    ON {{ attribute.centre }}.class_id = extent.class_id
{% endif %}
{% endfor %};
