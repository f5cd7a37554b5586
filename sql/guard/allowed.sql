-- guard/allowed.sql: strike every candidate that would leave a side without the guarantee.
--
-- in:      ppdt_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median);
--          ppdt_distinct (node_id, attribute_id, at_code, kind, n_left, n_right) where more than rows count;
--          ppdt_unfit, ppdt_far (node_id, attribute_id, at_code) where models are asked for
-- out:     ppdt_allowed (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right)
--          one row per allowed (node_id, attribute_id, at_code)
-- params:  $k, $l
-- keeps:   both sides have k rows; with an entity, k entities; with sensitive attributes, l values of each,
--          and every model that is asked for
SELECT
    candidate.node_id,
    candidate.attribute_id,
    candidate.at_code,
    candidate.width,
    candidate.n_rows_left,
    candidate.n_rows_right
FROM ppdt_candidate AS candidate
{% if protected_keys %}
ANTI JOIN ppdt_distinct AS scarce
    ON scarce.node_id = candidate.node_id
    AND scarce.attribute_id = candidate.attribute_id
    AND scarce.at_code = candidate.at_code
    AND least(scarce.n_left, scarce.n_right) < CASE scarce.kind WHEN 0 THEN $k ELSE $l END
{% endif %}
{% if guard.has_models %}
ANTI JOIN ppdt_unfit AS unfit
    ON unfit.node_id = candidate.node_id
    AND unfit.attribute_id = candidate.attribute_id
    AND unfit.at_code = candidate.at_code
{% endif %}
{% if guard.t is not none and far_kinds %}
ANTI JOIN ppdt_far AS far
    ON far.node_id = candidate.node_id
    AND far.attribute_id = candidate.attribute_id
    AND far.at_code = candidate.at_code
{% endif %}
WHERE least(candidate.n_rows_left, candidate.n_rows_right) >= $k
{% if only_median %}
    AND candidate.is_median
{% endif %};
