{#- lib/fragments/sides.sql: what a cut gains, and how much it says by itself. Where missing values have a
branch of their own they are a third side; else they only thin the gain out. Wants: has_branch. -#}
round(CAST(
{%- if has_branch %}
            ({{ xlog("weight" | ident) }} - node_sum)
            - ({{ xlog("weight_3" | ident) }} - missing_sum)
{%- else %}
            ({{ xlog("weight_known" | ident) }} - class_sum)
{%- endif %}

            - ({{ xlog("weight_1" | ident) }}
            + {{ xlog("weight_2" | ident) }} - side_sum)
        AS DOUBLE) / (weight / 1e6), 12) AS gain,
        CAST(
            {{ xlog("weight" | ident) }}
            - {{ xlog("weight_1" | ident) }}
            - {{ xlog("weight_2" | ident) }}
            - {{ xlog("weight_3" | ident) }}
        AS DOUBLE) / (weight / 1e6) AS split_info
