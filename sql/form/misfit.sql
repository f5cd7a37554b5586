{#- form/misfit.sql: what a row loses when it shows the values of its class: squares of standardized numbers,
and a cost for each category that differs. Wants: axes, left, right. -#}
(CAST(0 AS DOUBLE)
{%- for axis in axes %}

{% if axis.is_number %}
    + {% if axis.has_null %}coalesce({% endif -%}
    CAST({{ axis.square | literal }} AS DOUBLE)
    * ({{ left | ident }}.{{ axis.column | ident }} - {{ right | ident }}.{{ axis.column | ident }})
    * ({{ left | ident }}.{{ axis.column | ident }} - {{ right | ident }}.{{ axis.column | ident }})
    {%- if axis.has_null %},
        CASE WHEN {{ left | ident }}.{{ axis.column | ident }} IS NOT DISTINCT FROM {{ right | ident }}.{{ axis.column | ident }}
            THEN 0 ELSE CAST({{ axis.far_square | literal }} AS DOUBLE) END)
    {%- endif %}
{%- else %}
    + CASE WHEN {{ left | ident }}.{{ axis.column | ident }} = {{ right | ident }}.{{ axis.column | ident }} THEN 0
        ELSE CAST({{ axis.penalty | literal }} AS DOUBLE) END
{%- endif %}
{%- endfor %}

)
