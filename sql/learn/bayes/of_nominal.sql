-- learn/bayes/of_nominal.sql: what every set of members of a nominal feature says for each class.
--
-- in:      ppdt_reading (set_<i>); ppdt_chance (attribute_id, class_id, member, chance)
-- out:     ppdt_evidence_<i> (members, logs)
--          one row per set that occurs; logs has one number for each class
-- keeps:   logs count 1e-12; a set has the mean chance of its members
WITH form AS (
    SELECT {{ feature.set }} AS members
    FROM ppdt_reading
    WHERE {{ feature.set }} IS NOT NULL
    GROUP BY ALL
),

member AS (
    SELECT members, unnest(members) AS member
    FROM form
),

chance AS (
    SELECT
        member.members,
        unseen.class_id,
        sum(CAST(round(coalesce(chance.chance, unseen.chance) * 1e18) AS HUGEINT)) / len(member.members) / 1e18 AS chance
    FROM member
    INNER JOIN ppdt_chance AS unseen
        ON unseen.attribute_id = {{ feature.position | literal }} AND unseen.member IS NULL
    LEFT JOIN ppdt_chance AS chance
        ON chance.attribute_id = unseen.attribute_id
        AND chance.class_id = unseen.class_id
        AND chance.member = member.member
    GROUP BY member.members, unseen.class_id
)

SELECT members, list(CAST(round(ln(greatest(chance, 1e-75)) * 1e12) AS BIGINT) ORDER BY class_id ASC) AS logs
FROM chance
GROUP BY members;
