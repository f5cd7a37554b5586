{#- form/carried.sql: what a unit carries on its way beside its weight and its codes. Wants: is_walk,
table. -#}
{% if is_walk %}{{ table | ident }}.walk_id, {% endif -%}
{{ table | ident }}.node_id, {% if is_walk %}{{ table | ident }}.branch, {{ table | ident }}.is_arrived, {% endif -%}
{{ table | ident }}.unit_id, {{ table | ident }}.target

