-- apply/extent.sql: how far every class reaches, in values.
--
-- in:      ppdt_extent (class_id, lo_<o>, hi_<o>, special_<o>, codes_<c>); ppdt_code_<i> (code, value, shown);
--          ppdt_set_<i> (codes, members); ppdt_special_<i> (special, words)
-- out:     the extents in the file of rules (class_id, low_<o>, high_<o>, words_<o>, members_<c>)
--          one row per class
-- keeps:   words are those of the values that lie in no range: NULL, NaN and the infinities
SELECT
    extent.class_id,
{% for attribute in attributes %}
{% set i = attribute.position %}
{% if attribute.kind == "ordered" and attribute.recode != "set" %}
    {{ ("low_code_%d" % i) | ident }}.value AS {{ ("low_%d" % i) | ident }},
    {{ ("high_code_%d" % i) | ident }}.value AS {{ ("high_%d" % i) | ident }},
{% if attribute.n_special %}
    {{ ("special_%d" % i) | ident }}.words AS {{ ("words_%d" % i) | ident }}
{%- else %}
    CAST(NULL AS VARCHAR) AS {{ ("words_%d" % i) | ident }}
{%- endif %}
{%- else %}
    {{ ("set_%d" % i) | ident }}.members AS {{ ("members_%d" % i) | ident }}
{%- endif %}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_extent AS extent
{% for attribute in attributes %}
{% set i = attribute.position %}
{% if attribute.kind == "ordered" and attribute.recode != "set" %}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("low_code_%d" % i) | ident }} ON {{ ("low_code_%d" % i) | ident }}.code = extent.{{ ("lo_%d" % i) | ident }}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ ("high_code_%d" % i) | ident }} ON {{ ("high_code_%d" % i) | ident }}.code = extent.{{ ("hi_%d" % i) | ident }}
{% if attribute.n_special %}
LEFT JOIN {{ ("ppdt_special_%d" % i) | ident }} AS {{ ("special_%d" % i) | ident }}
    ON {{ ("special_%d" % i) | ident }}.special = extent.{{ ("special_%d" % i) | ident }}
{% endif %}
{% else %}
LEFT JOIN {{ ("ppdt_set_%d" % i) | ident }} AS {{ ("set_%d" % i) | ident }} ON {{ ("set_%d" % i) | ident }}.codes = extent.{{ ("codes_%d" % i) | ident }}
{% endif %}
{% endfor %};
