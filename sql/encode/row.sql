-- encode/row.sql: every row of the source as its quasi-identifiers' codes, packed into words.
--
-- in:      the source; ppdt_code_<i> (code, value)
-- out:     ppdt_coded (word_<w>, <other>)
--          one row per row of the source
-- params:  $inner_pad, $outer_pad, $by_column
-- keeps:   the dictionaries know every value, so no row is lost
SELECT
{% for word in words %}
    {%+ include "lib/fragments/packed_word.sql" %} AS {{ word.name | ident }}{% if others %}, {% else %}{{ comma(loop) }}{% endif %}

{% endfor %}
{% for other in others %}
    {%+ include "lib/fragments/other.sql" %} AS {{ other.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source
{% for coded in dictionaries %}
INNER JOIN {{ coded.dictionary | ident }} AS {{ coded.dictionary_alias | ident }}
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM {% with table = "source", attribute = coded %}{% include "lib/fragments/comparable.sql" %}{% endwith %}

{% endfor %}
{% if is_live %}
{# An enum's type is spelled with its values; values that are new meet no dictionary anyway. #}
{% for coded in dictionaries %}
    {%+ if loop.first %}WHERE{% else %}AND{% endif %} {% if coded.family == "enum" %}starts_with(typeof(source.{{ coded.name | ident }}), 'ENUM(')
    {%- else %}typeof(source.{{ coded.name | ident }}) = {{ coded.type_name | literal }}{% endif %}

{% endfor %}
{% endif %};
