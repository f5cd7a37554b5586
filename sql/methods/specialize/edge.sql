-- methods/specialize/edge.sql: what lies on both sides of every cut of some intervals of codes.
--
-- in:      ppdt_tally_code (attribute_id, code, target, n_rows)
-- out:     ppdt_edge (attribute_id, node_id, left_id, code, n_rows, told)
--          one row per code of an interval
-- params:  $attribute_ids, $node_ids, $left_ids, $first_codes, $last_codes
-- keeps:   `told` is by how much the code's rows change the sum of n log2 n of both sides
WITH interval AS (
    SELECT
        unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
        unnest(CAST($node_ids AS INTEGER[])) AS node_id,
        unnest(CAST($left_ids AS INTEGER[])) AS left_id,
        unnest(CAST($first_codes AS INTEGER[])) AS first_code,
        unnest(CAST($last_codes AS INTEGER[])) AS last_code
),

-- One row per code and target of an interval: how the target's rows lie before and after the code.
running AS (
    SELECT interval.attribute_id, interval.node_id, interval.left_id, tally.code, tally.n_rows,
        CAST(sum(tally.n_rows) OVER upwards AS BIGINT) AS n_left,
        CAST(sum(tally.n_rows) OVER of_target - sum(tally.n_rows) OVER upwards AS BIGINT) AS n_right
    FROM interval
    INNER JOIN ppdt_tally_code AS tally
        ON tally.attribute_id = interval.attribute_id
        AND tally.code >= interval.first_code AND tally.code <= interval.last_code
    WINDOW of_target AS (PARTITION BY interval.attribute_id, interval.node_id, tally.target),
        upwards AS (
            PARTITION BY interval.attribute_id, interval.node_id, tally.target
            ORDER BY tally.code ASC
        )
)

SELECT
    attribute_id, node_id, left_id, code,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
    sum({% with weight = "n_left" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

        + {% with weight = "n_right" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

        - {% with weight = "before_left" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

        - {% with weight = "before_right" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}) AS told
FROM (
    SELECT attribute_id, node_id, left_id, code, n_rows, n_left, n_right,
        n_left - n_rows AS before_left, n_right + n_rows AS before_right
    FROM running
) AS sides
GROUP BY attribute_id, node_id, left_id, code;
