-- encode/bins/mdl_cut.sql: the best cut of every part that leaves k rows on both sides and is worth its description.
--
-- in:      ppdt_mdl_side (attribute_id, part, at_code, weight_left, weight_all, left_sum, right_sum,
--          all_sum, n_left, n_right, n_classes, counted_left, counted_all)
-- out:     ppdt_mdl_cut (attribute_id, part, at_code)
--          one row per part that is cut
-- params:  $k
-- keeps:   gain > (log2(n - 1) + log2(3^c - 2) - (c E - c1 E1 - c2 E2)) / n; ties take the lower code
-- paper:   Fayyad and Irani 1993, section 2
WITH entropy AS (
    SELECT
        attribute_id,
        part,
        at_code,
        weight_all / 1e6 AS n_all,
        weight_left / 1e6 AS n_at_left,
        (weight_all - weight_left) / 1e6 AS n_at_right,
        n_left,
        n_right,
        n_classes,
        log2(weight_all / 1e6) - all_sum / (weight_all / 1e6) AS before,
        log2(weight_left / 1e6) - left_sum / (weight_left / 1e6) AS at_left,
        log2((weight_all - weight_left) / 1e6)
            - right_sum / ((weight_all - weight_left) / 1e6) AS at_right
    FROM ppdt_mdl_side
    WHERE counted_left >= $k AND counted_all - counted_left >= $k
),

scored AS (
    SELECT
        attribute_id,
        part,
        at_code,
        round(before - (n_at_left * at_left + n_at_right * at_right) / n_all, 12) AS gain,
        round((
            log2(n_all - 1) + log2(pow(3, n_classes) - 2)
            - (n_classes * before - n_left * at_left - n_right * at_right)
        ) / n_all, 12) AS price
    FROM entropy
),

best AS (
    SELECT attribute_id, part, at_code, gain, price
    FROM scored
    QUALIFY row_number() OVER (PARTITION BY attribute_id, part ORDER BY gain DESC, at_code ASC) = 1
)

SELECT attribute_id, part, at_code
FROM best
WHERE gain > price;
