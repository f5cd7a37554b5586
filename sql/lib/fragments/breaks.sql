{#- lib/fragments/breaks.sql: whether a part of a span's rows that is not empty is too small, or its classes too much
alike. Wants: weight (text that came through a filter), class_sum, has_entropy. -#}
{{ weight }} > 0 AND ({{ weight }} < $min_weight
{%- if has_entropy %} OR round(CAST({{ xlog(weight) }} - {{ class_sum | ident }} AS DOUBLE) / ({{ weight }} / 1e6), 12) < $least_entropy{% endif %})
{#- -#}
