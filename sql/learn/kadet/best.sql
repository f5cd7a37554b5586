-- learn/kadet/best.sql: the best split of every node that keeps the guarantee.
--
-- in:      ppdt_cut_score (node_id, attribute_id, at_code, next_code, gain, ratio);
--          ppdt_branch_score (node_id, attribute_id, gain, ratio);
--          ppdt_forbidden (node_id, attribute_id, from_code); ppdt_attribute (attribute_id, is_averaged);
--          ppdt_stand (attribute_id, at_code, next_code, stand_code); ppdt_finer (attribute_id, finer_id)
-- out:     ppdt_best (node_id, attribute_id, at_code, next_code, ratio)
--          one row per node that can be split; at_code is where the threshold stands, NULL where every
--          value has a branch
-- keeps:   a level of a hierarchy is taken only where the finer one is forbidden;
--          C4.5: the best gain ratio among the gains that reach the average of those allowed, less 0.001;
--          ID3: the best gain; equal scores: the attribute that comes first
WITH score AS (
    SELECT cut.node_id, cut.attribute_id, cut.at_code, cut.next_code, cut.gain, cut.ratio
    FROM ppdt_cut_score AS cut
    ANTI JOIN ppdt_forbidden AS forbidden
        ON forbidden.node_id = cut.node_id
        AND forbidden.attribute_id = cut.attribute_id
        AND forbidden.from_code = -1
    UNION ALL
    SELECT branch.node_id, branch.attribute_id, NULL, NULL, branch.gain, branch.ratio
    FROM ppdt_branch_score AS branch
    ANTI JOIN ppdt_forbidden AS forbidden
        ON forbidden.node_id = branch.node_id AND forbidden.attribute_id = branch.attribute_id
    LEFT JOIN ppdt_finer AS finer ON finer.attribute_id = branch.attribute_id
    LEFT JOIN ppdt_forbidden AS below
        ON below.node_id = branch.node_id AND below.attribute_id = finer.finer_id
    WHERE finer.finer_id IS NULL OR below.node_id IS NOT NULL
),

average AS (
    SELECT score.node_id, CAST(sum(CAST(score.gain AS DECIMAL(38, 12))) AS DOUBLE) / count(*) AS gain
    FROM score
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = score.attribute_id
    WHERE attribute.is_averaged
    GROUP BY score.node_id
),

ranked AS (
    SELECT score.node_id, score.attribute_id, score.at_code, score.next_code, score.ratio,
        row_number() OVER (
            PARTITION BY score.node_id ORDER BY score.ratio DESC, score.attribute_id ASC
        ) AS place
    FROM score
    LEFT JOIN average ON average.node_id = score.node_id
    WHERE score.ratio > {% if criterion == "ratio" %}1e-6 AND score.gain >= coalesce(round(average.gain, 12) - 0.001, 0){% else %}0{% endif %}

)

SELECT
    ranked.node_id,
    ranked.attribute_id,
    {%+ if is_apart %}ranked.at_code{% else %}coalesce(stand.stand_code, ranked.at_code){% endif %} AS at_code,
    ranked.next_code,
    ranked.ratio
FROM ranked
{% if not is_apart %}
LEFT JOIN ppdt_stand AS stand
    ON stand.attribute_id = ranked.attribute_id
    AND stand.at_code = ranked.at_code
    AND stand.next_code = ranked.next_code
{% endif %}
WHERE ranked.place = 1
ORDER BY ranked.node_id ASC;
