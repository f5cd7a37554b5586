{#- lib/fragments/features.sql: the columns of a reading's features: both ends of an ordered one, the set of a
nominal one. Wants: features. -#}
{% for feature in features %}
{%- if feature.kind == "ordered" -%}
{{ feature.lo }}, {{ feature.hi }}
{%- else -%}
{{ feature.set }}
{%- endif -%}
{{- comma(loop) }}
{%- endfor %}
