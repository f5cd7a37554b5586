-- recode/with_entity.sql: the release with its entities, for the audit's eyes only.
--
-- in:      ppdt_sorted (label_rank, entity, <other>); ppdt_shown (label_rank, <label>)
-- out:     ppdt_with_entity (the released columns, entity)
--          one row per released row
SELECT
{% for column in columns %}
    {{ (column.table, column.inside) | ident }} AS {{ column.released | ident }},
{% endfor %}
    sorted.entity AS ppdt_entity
FROM ppdt_sorted AS sorted
INNER JOIN ppdt_shown AS shown ON shown.label_rank = sorted.label_rank;
