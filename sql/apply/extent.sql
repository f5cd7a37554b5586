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
{% if attribute.has_ends %}
    {{ attribute.low_code }}.value AS {{ attribute.low }},
    {{ attribute.high_code }}.value AS {{ attribute.high }},
{% if attribute.n_special %}
    {{ attribute.special }}.words AS {{ attribute.words }}
{%- else %}
    CAST(NULL AS VARCHAR) AS {{ attribute.words }}
{%- endif %}
{%- else %}
    {{ attribute.set }}.members AS {{ attribute.members }}
{%- endif %}{{ comma(loop) }}
{% endfor %}
FROM ppdt_extent AS extent
{% for attribute in attributes %}
{% if attribute.has_ends %}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.low_code }} ON {{ attribute.low_code }}.code = extent.{{ attribute.lo }}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.high_code }} ON {{ attribute.high_code }}.code = extent.{{ attribute.hi }}
{% if attribute.n_special %}
LEFT JOIN {{ attribute.special_relation }} AS {{ attribute.special }}
    ON {{ attribute.special }}.special = extent.{{ attribute.special }}
{% endif %}
{% else %}
LEFT JOIN {{ attribute.set_relation }} AS {{ attribute.set }} ON {{ attribute.set }}.codes = extent.{{ attribute.codes }}
{% endif %}
{% endfor %};
