-- guard/scarce.sql: the groups with too few rows, entities or sensitive values.
--
-- in:      ppdt_group (group_id, n_rows); ppdt_group_thing (group_id, kind, thing, n_rows) where things count
-- out:     ppdt_scarce (group_id)
--          one row per group that k or l forbids
-- params:  $k, $l
-- keeps:   a thing of kind 0 is an entity, any other a value of a sensitive column
SELECT group_id
FROM ppdt_group
WHERE n_rows < $k
{% if things %}
UNION
SELECT counted.group_id
FROM (
    SELECT group_id, kind, count(DISTINCT thing) AS n_things
    FROM ppdt_group_thing
    WHERE kind IN ({% for thing in things %}{{ thing.kind | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
    GROUP BY group_id, kind
) AS counted
WHERE counted.n_things < CASE counted.kind WHEN 0 THEN $k ELSE $l END
{% endif %};
