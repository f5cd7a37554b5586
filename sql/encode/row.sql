-- encode/row.sql: every row of the source as its quasi-identifiers' codes, packed into words.
--
-- in:      the source; ppdt_code_<i> (code, value)
-- out:     ppdt_coded (word_<w>, <other>)
--          one row per row of the source
-- params:  $inner_pad, $outer_pad, $by_column
-- keeps:   the dictionaries know every value, so no row is lost
SELECT
{% for word in words %}
    {% for attribute in word.attributes -%}
    {% if not loop.first %}| {% endif -%}
    (CAST({{ attribute.dictionary_alias | ident }}.code AS {{ word.type }}) << {{ attribute.shift | literal }})
    {% endfor -%}
    AS {{ word.name | ident }}{% if not loop.last or others %},{% endif %}

{% endfor %}
{% for other in others %}
    {% include "form/other.sql" %} AS {{ other.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM {{ source }} AS source
{% for coded in dictionaries %}
INNER JOIN {{ coded.dictionary | ident }} AS {{ coded.dictionary_alias | ident }}
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM
    {% with table = "source", attribute = coded %}{% include "form/comparable.sql" %}{% endwith %}

{% endfor %}
{% if is_live %}
WHERE
{% for coded in dictionaries %}
    {# An enum's type is spelled with its values; values that are new meet no dictionary anyway. -#}
    {% if coded.family == "enum" %}starts_with(typeof(source.{{ coded.name | ident }}), 'ENUM(')
    {%- else %}typeof(source.{{ coded.name | ident }}) = {{ coded.type_name | literal }}{% endif %}
    {%- if not loop.last %} AND{% endif %}

{% endfor %}
{% endif %};
