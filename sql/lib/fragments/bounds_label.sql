{#- lib/fragments/bounds_label.sql: a class's values as two columns for the ends, and flags for what lies between none.
Wants: attribute; reads its ends as `label/label` joins them. -#}
{{ attribute.low }}.value AS {{ (attribute.code ~ "_lo") | ident }},
    {{ attribute.high }}.value AS {{ (attribute.code ~ "_hi") | ident }},
{% if attribute.has_null %}
    extent.{{ attribute.special }} & 1 = 1 AS {{ (attribute.code ~ "_has_null") | ident }}
{%- else %}
    FALSE AS {{ (attribute.code ~ "_has_null") | ident }}
{%- endif %}
{%- if attribute.has_nonfinite %},
    extent.{{ attribute.special }} >> {{ (attribute.has_null | int) | literal }} > 0 AS {{ (attribute.code ~ "_has_nonfinite") | ident }}
{%- endif %}
{#- -#}
