{#- form/features.sql: the columns of a reading's features: both ends of an ordered one, the set of a
nominal one. Wants: features. -#}
{% for feature in features %}
{%- if feature.kind == "ordered" -%}
{{ ("lo_%d" % feature.position) | ident }}, {{ ("hi_%d" % feature.position) | ident }}
{%- else -%}
{{ ("set_%d" % feature.position) | ident }}
{%- endif -%}
{%- if not loop.last %}, {% endif %}
{%- endfor %}
