-- tools/demo/look.sql: a few rows of a relation, to be looked at.
--
-- in:      any relation
-- out:     ppdt_look (its columns, as text)
--          at most $rows rows
-- params:  $rows
SELECT
{% for column in columns %}
    CAST(relation.{{ column | ident }} AS VARCHAR) AS {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ relation }} AS relation
LIMIT $rows;
