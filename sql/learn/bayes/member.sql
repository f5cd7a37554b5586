-- learn/bayes/member.sql: how much each member of every nominal feature weighs in each class.
--
-- in:      ppdt_reading (target, set_<i>)
-- out:     ppdt_member (attribute_id, class_id, member, weight)
--          one row per (attribute_id, class_id, member) that occurs
-- params:  $first_class
-- keeps:   a weight counts billionths of a row; a set of r members gives each 1 / r of its rows
WITH form AS (
{% for feature in features %}
    SELECT
        {{ feature.position | literal }} AS attribute_id,
        target - $first_class AS class_id,
        {{ feature.set }} AS members,
        count(*) AS n_rows
    FROM ppdt_reading
    WHERE target >= $first_class AND {{ feature.set }} IS NOT NULL
    GROUP BY ALL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

member AS (
    SELECT
        attribute_id,
        class_id,
        unnest(members) AS member,
        CAST(n_rows AS HUGEINT) * 1000000000 // len(members) AS weight
    FROM form
)

SELECT attribute_id, CAST(class_id AS INTEGER) AS class_id, member, sum(weight) AS weight
FROM member
GROUP BY attribute_id, class_id, member
ORDER BY attribute_id ASC, class_id ASC, member ASC;
