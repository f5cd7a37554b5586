-- learn/kadet/best.sql: the best split of every node that keeps the guarantee.
--
-- in:      ppdt_cut_score (node_id, attribute_id, at_code, next_code, gain, ratio);
--          ppdt_branch_score (node_id, attribute_id, gain, ratio); ppdt_asked (node_id, scope_id);
--          ppdt_forbidden (scope_id, attribute_id, from_code); ppdt_attribute (attribute_id, is_averaged);
--          ppdt_finer (attribute_id, finer_id)
-- out:     ppdt_best (node_id, attribute_id, at_code, next_code, ratio)
--          one row per node asked about that can be split; at_code is NULL where every value has a branch
-- keeps:   a level of a hierarchy is taken only where the finer one is forbidden;
--          C4.5: the best gain ratio among the gains that reach the average of those allowed, less 0.001;
--          ID3: the best gain; equal scores: the attribute that comes first
WITH scored AS (
    SELECT node_id, attribute_id, at_code, next_code, gain, ratio
    FROM ppdt_cut_score
    UNION ALL
    SELECT node_id, attribute_id, NULL, NULL, gain, ratio
    FROM ppdt_branch_score
),

score AS (
    SELECT scored.node_id, scored.attribute_id, scored.at_code, scored.next_code, scored.gain, scored.ratio
    FROM scored
    INNER JOIN ppdt_asked AS asked ON asked.node_id = scored.node_id
    ANTI JOIN ppdt_forbidden AS forbidden
        ON forbidden.scope_id = asked.scope_id
        AND forbidden.attribute_id = scored.attribute_id
        AND (scored.at_code IS NULL OR forbidden.from_code = -1)
    LEFT JOIN ppdt_finer AS finer ON finer.attribute_id = scored.attribute_id
    LEFT JOIN ppdt_forbidden AS below
        ON below.scope_id = asked.scope_id AND below.attribute_id = finer.finer_id
    WHERE finer.finer_id IS NULL OR below.scope_id IS NOT NULL
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

SELECT node_id, attribute_id, at_code, next_code, ratio
FROM ranked
WHERE place = 1
ORDER BY node_id ASC;
