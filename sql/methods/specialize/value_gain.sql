-- methods/specialize/value_gain.sql: what it tells of the target to disclose one more suppressed value.
--
-- in:      ppdt_tally_code (attribute_id, code, target, n_rows)
-- out:     ppdt_value_gain (code, n_rows, gain)
--          one row per suppressed value with at least k rows
-- params:  $attribute_id, $disclosed, $k
-- keeps:   the others stay together; rounded to 12 digits
WITH hidden AS (
    SELECT code, n_rows, sum(n_rows) OVER (PARTITION BY target) AS n_target
    FROM ppdt_tally_code
    WHERE attribute_id = $attribute_id
        AND code NOT IN (SELECT unnest(CAST($disclosed AS INTEGER[])))
),

-- One row per code and target that meet: its rows, those of the others, and both together.
met AS (
    SELECT code, n_rows, CAST(n_target AS BIGINT) AS n_all, CAST(n_target - n_rows AS BIGINT) AS n_others
    FROM hidden
),

told AS (
    SELECT code, CAST(sum(n_rows) AS BIGINT) AS n_rows,
        sum({% with weight = "n_rows" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

            + {% with weight = "n_others" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

            - {% with weight = "n_all" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}) AS told
    FROM met
    GROUP BY code
),

sided AS (
    SELECT code, n_rows, told,
        CAST(sum(n_rows) OVER () AS BIGINT) AS n_all,
        CAST(sum(n_rows) OVER () - n_rows AS BIGINT) AS n_others
    FROM told
)

SELECT code, n_rows,
    round(CAST(told + {% with weight = "n_all" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

        - {% with weight = "n_rows" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}

        - {% with weight = "n_others" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %} AS DOUBLE)
        / n_all, 12) AS gain
FROM sided
WHERE n_rows >= $k;
