-- encode/bins/mdl_side.sql: both sides of every cut of every part: rows, classes, purity.
--
-- in:      ppdt_mdl_count (attribute_id, part, code, target, weight, n_counted)
-- out:     ppdt_mdl_side (attribute_id, part, at_code, weight_left, weight_all, left_sum, right_sum,
--          all_sum, n_left, n_right, n_classes, counted_left, counted_all)
--          one row per code of a part but its last
-- keeps:   a sum is that of n log2 n over the classes, in exact decimals; only the classes at hand
--          change from one code to the next, so the differences add up
WITH class AS (
    SELECT
        attribute_id,
        part,
        code,
        weight,
        n_counted,
        CAST(sum(weight) OVER up AS BIGINT) AS left_after,
        CAST(sum(weight) OVER up - weight AS BIGINT) AS left_before,
        CAST(sum(weight) OVER whole - sum(weight) OVER up AS BIGINT) AS right_after,
        CAST(sum(weight) OVER whole - sum(weight) OVER up + weight AS BIGINT) AS right_before
    FROM ppdt_mdl_count
    WINDOW
        whole AS (PARTITION BY attribute_id, part, target),
        up AS (PARTITION BY attribute_id, part, target ORDER BY code ASC)
),

change AS (
    SELECT
        attribute_id,
        part,
        code,
        sum(weight) AS weight,
        max(n_counted) AS n_counted,
        count(*) FILTER (WHERE left_before = 0) AS n_first,
        count(*) FILTER (WHERE right_after = 0) AS n_last,
        sum({{ xlog("left_after" | ident) }}
            - {{ xlog("left_before" | ident) }}) AS to_left,
        sum({{ xlog("right_before" | ident) }}
            - {{ xlog("right_after" | ident) }}) AS from_right
    FROM class
    GROUP BY attribute_id, part, code
)

SELECT
    attribute_id,
    part,
    code AS at_code,
    CAST(sum(weight) OVER up AS BIGINT) AS weight_left,
    CAST(sum(weight) OVER whole AS BIGINT) AS weight_all,
    sum(to_left) OVER up AS left_sum,
    sum(from_right) OVER whole - sum(from_right) OVER up AS right_sum,
    sum(to_left) OVER whole AS all_sum,
    sum(n_first) OVER up AS n_left,
    sum(n_last) OVER whole - sum(n_last) OVER up AS n_right,
    sum(n_first) OVER whole AS n_classes,
    sum(n_counted) OVER up AS counted_left,
    sum(n_counted) OVER whole AS counted_all
FROM change
WINDOW whole AS (PARTITION BY attribute_id, part), up AS (PARTITION BY attribute_id, part ORDER BY code ASC)
QUALIFY sum(weight) OVER up < sum(weight) OVER whole;
