-- audit/model.sql: what every class tells of one sensitive column, model by model.
--
-- in:      ppdt_portion (class_id, n_rows, n_class, n_value)
-- out:     ppdt_model_<i> (class_id, n_rows, distinct_l, entropy_l, recursive_c, alpha, t_equal, basic_beta,
--          enhanced_beta, n_beyond_beta, delta_disclosure, delta_disclosure_ignoring_absent)
--          one row per class
-- params:  $n_total, $n_values
-- keeps:   recursive_c is for l = n_top + 1: r1 < c (r_l + ... + r_m) for every c above it, and for none
--          where a class has fewer than l values; sums of integers, or of exact decimals, are divided once; a value that no beta can satisfy makes
--          enhanced_beta infinite and is counted; so does an absent value with delta_disclosure
-- paper:   Machanavajjhala 2007, definitions 3 to 5; Wong 2006; Li 2007; Cao and Karras 2012,
--          definitions 2 and 3; Brickell and Shmatikov 2008, definition 3 (natural logarithm)
WITH portion AS (
    SELECT
        class_id,
        n_rows,
        n_class,
        n_rows * $n_total - n_value * n_class AS gain,
        CAST(n_rows AS DOUBLE) * $n_total / (CAST(n_class AS DOUBLE) * n_value) AS lift,
        -ln(CAST(n_value AS DOUBLE) / $n_total) AS most_gain
    FROM ppdt_portion
),

class AS (
    SELECT
        class_id,
        any_value(n_class) AS n_rows,
        count(*) AS n_values,
        sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS n_ln_n,
        max(n_rows) AS n_most,
        {%+ if n_top == 1 %}max(n_rows){% else %}list_sum(max(n_rows, {{ n_top | literal }})){% endif %} AS n_above,
        sum(greatest(gain, 0)) AS gained,
        max(lift) AS highest,
        min(lift) AS lowest,
        count(*) FILTER (WHERE round(lift - 1, 12) > round(most_gain, 12)) AS n_beyond_beta
    FROM portion
    GROUP BY class_id
)

SELECT
    class_id,
    n_rows,
    n_values AS distinct_l,
    round(exp(ln(n_rows) - CAST(n_ln_n AS DOUBLE) / n_rows), 12) AS entropy_l,
    CASE WHEN n_above = n_rows THEN CAST('Infinity' AS DOUBLE)
        ELSE round(n_most / CAST(n_rows - n_above AS DOUBLE), 12) END AS recursive_c,
    round(n_most / CAST(n_rows AS DOUBLE), 12) AS alpha,
    round(CAST(gained AS DOUBLE) / (CAST(n_rows AS DOUBLE) * $n_total), 12) AS t_equal,
    round(greatest(highest - 1, 0), 12) AS basic_beta,
    CASE WHEN n_beyond_beta > 0 THEN CAST('Infinity' AS DOUBLE) ELSE round(greatest(highest - 1, 0), 12) END AS enhanced_beta,
    n_beyond_beta,
    CASE WHEN n_values < $n_values THEN CAST('Infinity' AS DOUBLE)
        ELSE round(greatest(abs(ln(highest)), abs(ln(lowest))), 12) END AS delta_disclosure,
    round(greatest(abs(ln(highest)), abs(ln(lowest))), 12) AS delta_disclosure_ignoring_absent
FROM class;
