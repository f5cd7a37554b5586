-- learn/trees/choice.sql: the attribute that each node is split on.
--
-- in:      ppdt_cut_score (node_id, attribute_id, at_code, next_code, gain, ratio);
--          ppdt_branch_score (node_id, attribute_id, gain, ratio), or ppdt_subset_score in binary trees;
--          ppdt_narrowing (node_id, attribute_id, narrowing) where narrow splits are preferred;
--          ppdt_attribute (attribute_id, is_averaged)
-- out:     ppdt_choice (node_id, attribute_id, at_code, next_code)
--          one row per node that is split; at_code is NULL where values are tested one by one
-- keeps:   C4.5: the best gain ratio among the gains that reach the average, less 0.001, where it is
--          more than a millionth, as in J48; or of these the one that narrows labels most;
--          ID3: the best gain; equal scores: the attribute that comes first
-- paper:   Quinlan 1993, C4.5; Quinlan 1986, Induction of Decision Trees
WITH score AS (
    SELECT node_id, attribute_id, at_code, next_code, gain, ratio
    FROM ppdt_cut_score
    UNION ALL
    SELECT node_id, attribute_id, NULL, NULL, gain, ratio
    FROM {% if is_binary %}ppdt_subset_score{% else %}ppdt_branch_score{% endif %}

),

average AS (
    SELECT
        score.node_id,
        CAST(sum(CAST(score.gain AS DECIMAL(38, 12))) AS DOUBLE) / count(*) AS gain
    FROM score
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = score.attribute_id
    WHERE attribute.is_averaged
    GROUP BY score.node_id
),

ranked AS (
    SELECT
        score.node_id,
        score.attribute_id,
        score.at_code,
        score.next_code,
        row_number() OVER (
            PARTITION BY score.node_id ORDER BY {% if is_narrow %}narrowing.narrowing DESC, {% endif %}score.ratio DESC, score.attribute_id ASC
        ) AS place
    FROM score
{% if is_narrow %}
    INNER JOIN ppdt_narrowing AS narrowing
        ON narrowing.node_id = score.node_id AND narrowing.attribute_id = score.attribute_id
{% endif %}
{% if criterion == "ratio" %}
    INNER JOIN average ON average.node_id = score.node_id
    WHERE score.ratio > 1e-6 AND score.gain >= round(average.gain, 12) - 0.001
{% endif %}
)

SELECT node_id, attribute_id, at_code, next_code
FROM ranked
WHERE place = 1;
