-- learn/trees/value.sql: the values that a tree tests, as text; instants in UTC.
--
-- in:      ppdt_used (attribute_id, code); ppdt_code_<i> (code, value)
-- out:     ppdt_value_text (attribute_id, code, value)
--          one row per (attribute_id, code) used
{% for attribute in attributes %}
SELECT used.attribute_id, used.code, {% if attribute.type_name == "TIMESTAMP WITH TIME ZONE" and attribute.spread != "set" %}concat(CAST(make_timestamp(epoch_us(dictionary.value)) AS VARCHAR), '+00'){% else %}{% with text = ("dictionary", "value") | ident, type_name = attribute.type_name %}{% include "lib/fragments/text.sql" %}{% endwith %}{% endif %} AS value
FROM ppdt_used AS used
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = used.code
WHERE used.attribute_id = {{ attribute.position | literal }}
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
