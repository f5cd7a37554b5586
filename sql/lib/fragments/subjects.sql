{#- lib/fragments/subjects.sql: how many people stand behind units: their rows, or their distinct entities, where
rows without one count as one, all together. Wants: entity. -#}
{%- if entity is none -%}
CAST(sum(unit.n_rows) AS BIGINT)
{%- else -%}
count(DISTINCT unit.entity) + max(CAST(unit.entity IS NULL AS INTEGER))
{%- endif -%}
