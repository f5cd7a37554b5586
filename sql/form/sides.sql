{#- form/sides.sql: what a cut gains, and how much it says by itself. Where missing values have a
branch of their own they are a third side; else they only thin the gain out. Wants: has_branch. -#}
round(CAST(
{%- if has_branch %}
            ({% with weight = "weight" | ident %}{% include "form/xlog.sql" %}{% endwith %} - node_sum)
            - ({% with weight = "weight_3" | ident %}{% include "form/xlog.sql" %}{% endwith %} - missing_sum)
{%- else %}
            ({% with weight = "weight_known" | ident %}{% include "form/xlog.sql" %}{% endwith %} - class_sum)
{%- endif %}

            - ({% with weight = "weight_1" | ident %}{% include "form/xlog.sql" %}{% endwith %}
            + {% with weight = "weight_2" | ident %}{% include "form/xlog.sql" %}{% endwith %} - side_sum)
        AS DOUBLE) / (weight / 1e6), 12) AS gain,
        CAST(
            {% with weight = "weight" | ident %}{% include "form/xlog.sql" %}{% endwith %}
            - {% with weight = "weight_1" | ident %}{% include "form/xlog.sql" %}{% endwith %}
            - {% with weight = "weight_2" | ident %}{% include "form/xlog.sql" %}{% endwith %}
            - {% with weight = "weight_3" | ident %}{% include "form/xlog.sql" %}{% endwith %}
        AS DOUBLE) / (weight / 1e6) AS split_info
