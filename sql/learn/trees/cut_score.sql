-- learn/trees/cut_score.sql: for every node and numeric attribute, the best cut with enough on both sides.
--
-- in:      ppdt_running (node_id, attribute_id, at_code, next_code, weight_left, side_sum);
--          ppdt_known (node_id, attribute_id, weight, weight_known, weight_missing, class_sum, missing_sum);
--          ppdt_splittable (node_id, class_sum); ppdt_close (attribute_id, at_code, upto_code) in C4.5
-- out:     ppdt_cut_score (node_id, attribute_id, at_code, next_code, gain, ratio)
--          one row per (node_id, attribute_id) with a cut that gains
-- params:  $min_weight, $n_classes
-- keeps:   equal gains: the lower code; C4.5 charges log2(candidates) / n for the choice, and of what
--          is left wants more than a millionth, as J48 does
-- paper:   Quinlan 1996, Improved Use of Continuous Attributes in C4.5
WITH allowed AS (
    SELECT
        running.node_id, running.attribute_id, running.at_code, running.next_code, running.side_sum,
        known.weight, known.weight_known,
        running.weight_left AS weight_1,
        known.weight_known - running.weight_left AS weight_2,
        known.weight_missing AS weight_3,
        known.class_sum, known.missing_sum,
        node.class_sum AS node_sum,
        {%+ if spans %}sum(running.n_codes){% else %}count(*){% endif %} OVER (PARTITION BY running.node_id, running.attribute_id) AS n_candidates
    FROM ppdt_running AS running
{% if criterion == "ratio" %}
    ANTI JOIN ppdt_close AS close
        ON close.attribute_id = running.attribute_id
        AND close.at_code = running.at_code
        AND close.upto_code >= running.next_code
{% endif %}
    INNER JOIN ppdt_known AS known
        ON known.node_id = running.node_id AND known.attribute_id = running.attribute_id
    INNER JOIN ppdt_splittable AS node ON node.node_id = running.node_id
    WHERE least(running.weight_left, known.weight_known - running.weight_left)
        >= {% with weight = ("known", "weight_known") | ident %}{% include "lib/fragments/least_side.sql" %}{% endwith %}

),

measured AS (
    SELECT node_id, attribute_id, at_code, next_code, weight, n_candidates,
        {%+ include "lib/fragments/sides.sql" %}

    FROM allowed
),

ranked AS (
    SELECT node_id, attribute_id, at_code, next_code, weight, n_candidates, gain, split_info,
        row_number() OVER (
            PARTITION BY node_id, attribute_id ORDER BY gain DESC, at_code ASC
        ) AS place
    FROM measured
)

SELECT
    node_id, attribute_id, at_code, next_code,
{% if criterion == "ratio" %}
    round(gain - log2(n_candidates) / (weight / 1e6), 12) AS gain,
    round((gain - log2(n_candidates) / (weight / 1e6)) / split_info, 12) AS ratio
FROM ranked
WHERE place = 1 AND gain > 0 AND round(gain - log2(n_candidates) / (weight / 1e6), 12) > 1e-6;
{% else %}
    gain,
    gain AS ratio
FROM ranked
WHERE place = 1;
{% endif %}
