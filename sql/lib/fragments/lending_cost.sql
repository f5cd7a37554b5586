{#- lib/fragments/lending_cost.sql: by how much errors grow if a row goes from its own pool to the one above. Wants:
is_greedy; without it, all rows cost the same. -#}
{%- if is_greedy -%}
CAST(placed.target <> above.target AS INTEGER) - CAST(placed.target <> own.target AS INTEGER)
{%- else -%}
0
{%- endif -%}
