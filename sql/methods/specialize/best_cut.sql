-- methods/specialize/best_cut.sql: the binary cut of each interval of codes that tells most of the target.
--
-- in:      ppdt_edge (attribute_id, node_id, left_id, code, n_rows, told)
-- out:     ppdt_best_cut (attribute_id, node_id, left_id, at_code, gain)
--          one row per interval of at least two values
-- keeps:   codes up to `at_code` go left; gains are rounded to 12 digits, the lowest cut wins a tie
WITH summed AS (
    SELECT attribute_id, node_id, left_id, code AS at_code,
        CAST(sum(n_rows) OVER upwards AS BIGINT) AS n_left,
        CAST(sum(n_rows) OVER whole AS BIGINT) AS n_all,
        CAST(sum(n_rows) OVER whole - sum(n_rows) OVER upwards AS BIGINT) AS n_right,
        sum(told) OVER upwards AS told
    FROM ppdt_edge
    WINDOW whole AS (PARTITION BY attribute_id, node_id),
        upwards AS (PARTITION BY attribute_id, node_id ORDER BY code ASC)
),

gained AS (
    SELECT attribute_id, node_id, left_id, at_code,
        round(CAST(told + {% with weight = "n_all" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

            - {% with weight = "n_left" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

            - {% with weight = "n_right" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %} AS DOUBLE)
            / n_all, 12) AS gain
    FROM summed
    WHERE n_right > 0
)

SELECT
    attribute_id,
    node_id,
    left_id,
    arg_max(at_code, (gain, -at_code)) AS at_code,
    max(gain) AS gain
FROM gained
GROUP BY attribute_id, node_id, left_id;
