-- learn/kadet/option.sql: what every threshold of a node gains, whatever is forbidden there.
--
-- in:      ppdt_running (node_id, attribute_id, at_code, next_code, weight_left, side_sum);
--          ppdt_stand (attribute_id, at_code, next_code, stand_code);
--          ppdt_known (node_id, attribute_id, weight, weight_known, weight_missing, class_sum, missing_sum);
--          ppdt_splittable (node_id, class_sum); ppdt_close (attribute_id, at_code, upto_code) in C4.5
-- out:     ppdt_option (node_id, attribute_id, at_code, next_code, stand_code, weight, gain, split_info)
--          one row per threshold with enough on both sides
-- params:  $min_weight, $n_classes
WITH allowed AS (
    SELECT
        running.node_id, running.attribute_id, running.at_code, running.next_code, stand.stand_code,
        running.side_sum,
        known.weight, known.weight_known,
        running.weight_left AS weight_1,
        known.weight_known - running.weight_left AS weight_2,
        known.weight_missing AS weight_3,
        known.class_sum, known.missing_sum,
        node.class_sum AS node_sum
    FROM ppdt_running AS running
{% if criterion == "ratio" %}
    ANTI JOIN ppdt_close AS close
        ON close.attribute_id = running.attribute_id
        AND close.at_code = running.at_code
        AND close.upto_code >= running.next_code
{% endif %}
    INNER JOIN ppdt_stand AS stand
        ON stand.attribute_id = running.attribute_id
        AND stand.at_code = running.at_code
        AND stand.next_code = running.next_code
    INNER JOIN ppdt_known AS known
        ON known.node_id = running.node_id AND known.attribute_id = running.attribute_id
    INNER JOIN ppdt_splittable AS node ON node.node_id = running.node_id
    WHERE least(running.weight_left, known.weight_known - running.weight_left)
        >= {% with weight = ("known", "weight_known") | ident %}{% include "lib/fragments/least_side.sql" %}{% endwith %}

)

SELECT node_id, attribute_id, at_code, next_code, stand_code, weight,
    {%+ include "lib/fragments/sides.sql" %}

FROM allowed;
