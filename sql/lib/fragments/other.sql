{#- lib/fragments/other.sql: a column that is not a quasi-identifier, as the run carries it. An enum becomes
text, since its type would name values that the release does not hold. A pseudonym is the HMAC-SHA256
of the value's text; unless releases are linked, that of the column's name before it, so that equal
values of two columns have two. Wants: other. -#}
{%- if other.form == "code" -%}
{{ other.alias | ident }}.code
{%- elif other.form == "pseudonym" -%}
sha256(unhex($outer_pad) || unhex(sha256(unhex($inner_pad)
{#- #} || encode(CASE WHEN $by_column THEN {{ other.domain | literal }} ELSE '' END || {% with text = ("source", other.column) | ident, type_name = other.source_type %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}))))
{%- elif other.form == "text" -%}
{% with text = ("source", other.column) | ident, type_name = other.source_type %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}
{%- else -%}
{% with text = ("source", other.column) | ident, is_text = other.is_text %}{% include "lib/fragments/plain.sql" %}{% endwith %}
{%- endif -%}
