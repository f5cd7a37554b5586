{#- lib/fragments/least_side.sql: what a side of a threshold must weigh at least. Wants: criterion, weight (text that
came through a filter). -#}
{% if criterion == "ratio" %}greatest($min_weight, least(25e6, {{ weight }} / (10.0 * $n_classes))){% else %}$min_weight{% endif %}
{#- -#}
