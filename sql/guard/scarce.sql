-- guard/scarce.sql: the groups with too few rows, entities or sensitive values.
--
-- in:      ppdt_group (group_id, n_rows);
--          ppdt_group_protected (group_id, kind, protected_key, n_rows) where protected keys count
-- out:     ppdt_scarce (group_id)
--          one row per group that k or l forbids
-- params:  $k, $l
-- keeps:   a protected key of kind 0 is an entity, any other a value of a sensitive column
SELECT group_id
FROM ppdt_group
WHERE n_rows < $k
{% if protected_keys %}
UNION
SELECT counted.group_id
FROM (
    SELECT group_id, kind, count(DISTINCT protected_key) AS n_distinct
    FROM ppdt_group_protected
    WHERE kind IN ({% for protected_key in protected_keys %}{{ protected_key.kind | literal }}{{ comma(loop) }}{% endfor %})
    GROUP BY group_id, kind
) AS counted
WHERE counted.n_distinct < CASE counted.kind WHEN 0 THEN $k ELSE $l END
{% endif %};
