{#- lib/fragments/t_closeness.sql: whether the values of a side are distributed as in the table, but for $t; columns with
an order or a hierarchy are left to guard/far and guard/remote. Li 2007. Wants: far_kinds; reads n_rows and n_whole of
each value, n_side, n_total, kind. -#}
{% if far_kinds %}(kind IN ({% for kind in far_kinds %}{{ kind | literal }}{{ comma(loop) }}{% endfor %}) OR {% endif %}round(
            CAST(sum(greatest(n_rows * n_total - n_whole * n_side, 0)) AS DOUBLE)
            / (CAST(any_value(n_side) AS DOUBLE) * any_value(n_total)), 12) <= round(CAST($t AS DOUBLE), 12){% if far_kinds %}){% endif %}
{#- -#}
