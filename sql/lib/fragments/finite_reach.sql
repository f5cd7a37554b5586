{#- lib/fragments/finite_reach.sql: the lowest and highest code of a class's finite values, and a bit for each code of
NULL, NaN and the infinities that it holds. Wants: attribute; reads `cell`. -#}
min(cell.{{ attribute.code | ident }}) FILTER (WHERE cell.{{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ attribute.lo }},
    max(cell.{{ attribute.code | ident }}) FILTER (WHERE cell.{{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ attribute.hi }},
{% if attribute.n_special > 0 %}
    coalesce(bit_or(CASE
        WHEN cell.{{ attribute.code | ident }} < {{ attribute.n_special | literal }}
            THEN CAST(1 AS INTEGER) << cell.{{ attribute.code | ident }}
    END), 0) AS {{ attribute.special }}
{%- else %}
    0 AS {{ attribute.special }}
{%- endif %}
{#- -#}
