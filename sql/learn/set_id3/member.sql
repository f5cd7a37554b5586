-- learn/set_id3/member.sql: every value that occurs in a column, alone or as a member of a set.
--
-- in:      the source
-- out:     ppdt_member_value (the column)
--          one row per member of a distinct set
SELECT {% if is_list %}unnest(CASE WHEN len(seen.shown) > 0 THEN seen.shown ELSE [NULL] END){% else %}seen.shown{% endif %} AS {{ column | ident }}
FROM (SELECT DISTINCT source.{{ column | ident }} AS shown FROM {{ source }} AS source) AS seen;
