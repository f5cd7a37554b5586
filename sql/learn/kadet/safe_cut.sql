-- learn/kadet/safe_cut.sql: for every node and numeric attribute, the best threshold that keeps the guarantee.
--
-- in:      ppdt_option (node_id, attribute_id, at_code, next_code, stand_code, weight, gain, split_info);
--          ppdt_asked (node_id, scope_id); ppdt_forbidden (scope_id, attribute_id, from_code, upto_code)
-- out:     ppdt_cut_score (node_id, attribute_id, at_code, next_code, gain, ratio)
--          one row per (node_id, attribute_id); at_code is where the threshold stands
-- keeps:   equal gains: the lower code; C4.5 charges for the choice as learn/trees/cut_score does, among the
--          thresholds that keep the guarantee
WITH ranked AS (
    SELECT option.node_id, option.attribute_id, option.stand_code, option.next_code, option.weight,
        option.gain, option.split_info,
        count(*) OVER (PARTITION BY option.node_id, option.attribute_id) AS n_candidates,
        row_number() OVER (
            PARTITION BY option.node_id, option.attribute_id
            ORDER BY option.gain DESC, option.at_code ASC
        ) AS place
    FROM ppdt_option AS option
    INNER JOIN ppdt_asked AS asked ON asked.node_id = option.node_id
    ANTI JOIN ppdt_forbidden AS forbidden
        ON forbidden.scope_id = asked.scope_id
        AND forbidden.attribute_id = option.attribute_id
        AND forbidden.from_code <= option.stand_code
        AND forbidden.upto_code > option.stand_code
)

SELECT
    node_id, attribute_id, stand_code AS at_code, next_code,
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
