-- learn/trees/narrowing.sql: how much narrower a row's label becomes, on average, by each split that was scored.
--
-- in:      ppdt_side_extent (node_id, attribute_id, weight, weight_known, weight_left, whole, low_side, high_side)
-- out:     ppdt_narrowing (node_id, attribute_id, narrowing)
--          one row per split that was scored
-- keeps:   the NCP of the attribute that is tested
-- paper:   Xu et al. 2006, Utility-Based Anonymization Using Local Recoding
SELECT
    node_id,
    attribute_id,
    round((
        weight_known * whole - weight_left * low_side - (weight_known - weight_left) * high_side
    ) / weight, 12) AS narrowing
FROM ppdt_side_extent;
