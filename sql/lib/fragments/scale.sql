{#- lib/fragments/scale.sql: what the units of a scaled attribute are fractions of: of floats the largest magnitude, of
whole numbers how far they reach, from the lowest one on. Wants: attribute, table. -#}
{%- if attribute.family == "float" -%}
SELECT {% include "lib/fragments/magnitude.sql" %} AS magnitude
    FROM {{ table | ident }}
{%- else -%}
SELECT ends.least, ends.greatest, {% with low = ("ends", "least") | ident, high = ("ends", "greatest") | ident, axis = {"is_float": False} %}{% include "lib/fragments/width.sql" %}{% endwith %} AS magnitude
    FROM (SELECT min(value) AS least, max(value) AS greatest FROM {{ table | ident }}) AS ends
{%- endif -%}
