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
{% set i = attribute.position %}
{% if attribute.recode == "range" %}
    CASE
        WHEN extent.{{ ("lo_%d" % i) | ident }} IS NULL
            THEN {% if not attribute.n_special %}NULL
            {%- elif attribute.has_null %}CASE WHEN extent.{{ ("special_%d" % i) | ident }} <> 1 THEN {{ ("special_%d" % i) | ident }}.words END
            {%- else %}{{ ("special_%d" % i) | ident }}.words{% endif %}

        ELSE concat(
            CASE
                WHEN extent.{{ ("lo_%d" % i) | ident }} = extent.{{ ("hi_%d" % i) | ident }} THEN {{ ("low_%d" % i) | ident }}.shown
                ELSE concat('[', {{ ("low_%d" % i) | ident }}.shown, ', ', {{ ("high_%d" % i) | ident }}.shown, ']')
            END{% if attribute.n_special > 0 %},
            ' or ' || {{ ("special_%d" % i) | ident }}.words{% endif %}

        )
    END AS {{ attribute.code | ident }}
{%- elif attribute.recode == "bounds" %}
    {{ ("low_%d" % i) | ident }}.value AS {{ (attribute.code ~ "_lo") | ident }},
    {{ ("high_%d" % i) | ident }}.value AS {{ (attribute.code ~ "_hi") | ident }},
    {% if attribute.has_null %}extent.{{ ("special_%d" % i) | ident }} & 1 = 1{% else %}FALSE{% endif %} AS {{ (attribute.code ~ "_has_null") | ident }}
{%- if attribute.has_nonfinite %},
    extent.{{ ("special_%d" % i) | ident }} >> {% if attribute.has_null %}1{% else %}0{% endif %} > 0 AS {{ (attribute.code ~ "_has_nonfinite") | ident }}
{%- endif %}
{%- elif attribute.recode == "node" %}
    {{ ("common_%d" % i) | ident }}.words AS {{ attribute.code | ident }}
{%- elif attribute.recode == "set" %}
    {{ ("set_%d" % i) | ident }}.members AS {{ attribute.code | ident }}
{%- else %}
    {{ ("centre_%d" % i) | ident }}.centre AS {{ attribute.code | ident }}
{%- endif %}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_extent AS extent
{% for attribute in attributes %}
{% set i = attribute.position %}
{% if attribute.recode in ("range", "bounds") %}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("low_%d" % i) | ident }} ON {{ ("low_%d" % i) | ident }}.code = extent.{{ ("lo_%d" % i) | ident }}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("high_%d" % i) | ident }} ON {{ ("high_%d" % i) | ident }}.code = extent.{{ ("hi_%d" % i) | ident }}
{% if attribute.n_special > 0 and attribute.recode == "range" %}
LEFT JOIN {{ ("ppdt_special_%d" % i) | ident }} AS {{ ("special_%d" % i) | ident }}
    ON {{ ("special_%d" % i) | ident }}.special = extent.{{ ("special_%d" % i) | ident }}
{% endif %}
{% elif attribute.recode == "node" %}
LEFT JOIN {{ ("ppdt_common_%d" % i) | ident }} AS {{ ("common_%d" % i) | ident }}
    ON {{ ("common_%d" % i) | ident }}.lo = extent.{{ ("lo_%d" % i) | ident }} AND {{ ("common_%d" % i) | ident }}.hi = extent.{{ ("hi_%d" % i) | ident }}
{% elif attribute.recode == "set" %}
LEFT JOIN {{ ("ppdt_set_%d" % i) | ident }} AS {{ ("set_%d" % i) | ident }} ON {{ ("set_%d" % i) | ident }}.codes = extent.{{ ("codes_%d" % i) | ident }}
{% else %}
LEFT JOIN {{ ("ppdt_centre_%d" % i) | ident }} AS {{ ("centre_%d" % i) | ident }} ON {{ ("centre_%d" % i) | ident }}.class_id = extent.class_id
{% endif %}
{% endfor %};
