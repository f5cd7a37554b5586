{#- lib/fragments/gap.sql: how far two rows lie apart, as a whole number of 2^-30ths of the largest distance that
the table allows: Euclidean over numbers, plus a cost for each category that differs. A missing number is
as far from any number as the attribute's ends are from each other. Wants: axes, left, right. -#}
CAST(round(sqrt(CAST(0 AS DOUBLE)
{%- for axis in axes if axis.is_number %}

    + {% if axis.has_null %}coalesce({% endif -%}
    CAST({{ axis.factor | literal }} AS DOUBLE)
    * ({{ left | ident }}.{{ axis.column | ident }} - {{ right | ident }}.{{ axis.column | ident }})
    * ({{ left | ident }}.{{ axis.column | ident }} - {{ right | ident }}.{{ axis.column | ident }})
    {%- if axis.has_null %},
        CASE WHEN {{ left | ident }}.{{ axis.column | ident }} IS NOT DISTINCT FROM {{ right | ident }}.{{ axis.column | ident }}
            THEN 0 ELSE CAST({{ axis.far | literal }} AS DOUBLE) END)
    {%- endif %}
{%- endfor %}

)
{%- for axis in axes if not axis.is_number %}

    + CASE WHEN {{ left | ident }}.{{ axis.column | ident }} = {{ right | ident }}.{{ axis.column | ident }} THEN 0 ELSE {{ axis.cost | literal }} END
{%- endfor %}

) AS BIGINT)
