-- audit/ordered.sql: the ordered distance of every class from the whole release.
--
-- in:      ppdt_segment (class_id, n_class, n_upto, first_code, next_code, first_below, next_below);
--          ppdt_crossing (n_class, n_upto, cross_code, cross_below)
-- out:     ppdt_ordered (class_id, t_ordered)
--          one row per class
-- params:  $n_total, $n_values
-- keeps:   the sum over all values of |running share of the class - that of the release| / (values - 1),
--          in whole numbers, divided once; a segment is divided where the two running shares cross
-- paper:   Li, Li, Venkatasubramanian 2007, section 5.1
WITH crossed AS (
    SELECT
        segment.class_id,
        segment.n_class,
        segment.n_upto,
        segment.first_code,
        segment.next_code,
        segment.first_below,
        segment.next_below,
        least(greatest(crossing.cross_code, segment.first_code), segment.next_code) AS cross_code,
        CASE
            WHEN crossing.cross_code <= segment.first_code THEN segment.first_below
            WHEN crossing.cross_code >= segment.next_code THEN segment.next_below
            ELSE crossing.cross_below
        END AS cross_below
    FROM ppdt_segment AS segment
    INNER JOIN ppdt_crossing AS crossing
        ON crossing.n_class = segment.n_class AND crossing.n_upto = segment.n_upto
),

class AS (
    SELECT
        class_id,
        any_value(n_class) AS n_class,
        sum(
            CAST(n_upto AS HUGEINT) * $n_total * (2 * cross_code - first_code - next_code)
            + n_class * (next_below + first_below - 2 * cross_below)
        ) + any_value(n_class) * min(first_below) AS distance
    FROM crossed
    GROUP BY class_id
)

SELECT
    class_id,
    round(coalesce(CAST(distance AS DOUBLE)
        / nullif(CAST(n_class AS DOUBLE) * $n_total * ($n_values - 1), 0), 0), 12) AS t_ordered
FROM class;
