-- The models of the audit as SQL, for every client of the database:
--
--     FROM ppdt.l_diversity('patients_k10', ['age', 'zip'], 'diagnosis');
--     FROM ppdt.recursive_diversity('patients_k10', ['age', 'zip'], 'diagnosis', 3);
--     FROM ppdt.t_closeness('patients_k10', ['age', 'zip'], 'diagnosis');
--     FROM ppdt.alpha_k_anonymity('patients_k10', ['age', 'zip'], 'diagnosis');
--     FROM ppdt.beta_likeness('patients_k10', ['age', 'zip'], 'diagnosis');
--     FROM ppdt.delta_disclosure('patients_k10', ['age', 'zip'], 'diagnosis');
--
-- Classes are told apart by what they show, never by a hash of it: the values themselves, whatever
-- collation their columns have, and how they read, since 0.0 and -0.0 compare as equal. NULL is a value.
-- A table whose own name holds a double quote is out of reach for query_table: give it a view.

-- One row: what is wrong with a request, or NULL. A class by fewer columns than were named would look
-- larger than it is, and a name that begins with ppdt_ could be taken for a step of these macros.
CREATE OR REPLACE MACRO ppdt.fault_of(tbl, names) AS TABLE
SELECT CASE
    WHEN starts_with(lower(tbl), 'ppdt_') THEN 'ppdt: names that begin with ppdt_ are ours; give the table a view of another name'
    WHEN len(missing) > 0 THEN 'ppdt: the table has no column ' || array_to_string(missing, ', ') END AS fault
FROM (
    SELECT list_filter(
        list_transform(names, lambda q: lower(q)),
        lambda q: NOT list_contains(list_transform(struct_keys(any_value(ppdt_row)), lambda x: lower(x)), q)
    ) AS missing
    FROM (SELECT ppdt_row FROM query_table(tbl) AS ppdt_row LIMIT 1)
);

-- One row per class: its quasi-identifiers and its size.
CREATE OR REPLACE MACRO ppdt.classes(tbl, qis) AS TABLE
WITH ppdt_shown AS (
    SELECT
        row(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS ppdt_shown,
        CAST(row(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS VARCHAR) AS ppdt_shown_text,
        any_value(COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))),
        count(*) AS ppdt_n_rows
    FROM query_table(tbl)
    GROUP BY ppdt_shown, ppdt_shown_text
),

ppdt_checked AS (
    SELECT ppdt_shown.*, request.fault AS ppdt_fault
    FROM ppdt.fault_of(tbl, qis) AS request
    LEFT JOIN ppdt_shown ON TRUE
    WHERE CASE WHEN request.fault IS NOT NULL THEN error(request.fault) ELSE ppdt_shown.ppdt_n_rows IS NOT NULL END
)

SELECT COLUMNS(lambda x: x NOT IN ('ppdt_shown', 'ppdt_shown_text', 'ppdt_fault'))
FROM ppdt_checked;

-- One row per class and sensitive value: how many rows the pair, the class, the value and the table have.
CREATE OR REPLACE MACRO ppdt.class_values(tbl, qis, sensitive) AS TABLE
WITH ppdt_pair AS (
    SELECT
        row(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS shown,
        CAST(row(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS VARCHAR) AS shown_text,
        row(*COLUMNS(lambda x: lower(x) = lower(sensitive))) AS held,
        count(*) AS n_rows
    FROM query_table(tbl)
    GROUP BY ALL
),

ppdt_numbered AS (
    SELECT
        dense_rank() OVER (ORDER BY shown_text ASC, shown ASC) AS class_id,
        struct_extract(held, 1) AS value,
        held,
        n_rows
    FROM ppdt_pair
)

SELECT
    class_id,
    value,
    n_rows,
    CAST(sum(n_rows) OVER (PARTITION BY class_id) AS BIGINT) AS n_class,
    CAST(sum(n_rows) OVER (PARTITION BY held) AS BIGINT) AS n_value,
    CAST(sum(n_rows) OVER () AS BIGINT) AS n_total,
    dense_rank() OVER (ORDER BY held ASC) AS value_id
FROM ppdt.fault_of(tbl, list_append(qis, sensitive)) AS request
LEFT JOIN ppdt_numbered ON TRUE
WHERE CASE WHEN request.fault IS NOT NULL THEN error(request.fault) ELSE n_rows IS NOT NULL END;

-- One row: how well the classes hide one sensitive column.
CREATE OR REPLACE MACRO ppdt.l_diversity(tbl, qis, sensitive) AS TABLE
WITH ppdt_class AS (
    SELECT
        class_id,
        count(*) AS n_values,
        sum(n_rows) AS n_rows,
        max(n_rows) AS n_most,
        sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS n_ln_n
    FROM ppdt.class_values(tbl, qis, sensitive)
    GROUP BY class_id
)

SELECT
    min(n_values) AS distinct_l,
    min(round(exp(ln(n_rows) - CAST(n_ln_n AS DOUBLE) / n_rows), 12)) AS entropy_l,
    round(max(n_most / n_rows), 12) AS alpha
FROM ppdt_class;

-- One row: the k and the largest share of one sensitive value in a class.
CREATE OR REPLACE MACRO ppdt.alpha_k_anonymity(tbl, qis, sensitive) AS TABLE
SELECT
    min(n_class) AS k,
    round(max(n_rows / n_class), 12) AS alpha
FROM ppdt.class_values(tbl, qis, sensitive);

-- One row: r1 < c (r_l + ... + r_m) for every c above it, and for none where it is infinite.
CREATE OR REPLACE MACRO ppdt.recursive_diversity(tbl, qis, sensitive, l) AS TABLE
WITH ppdt_ranked AS (
    SELECT
        class_id,
        n_rows,
        row_number() OVER (PARTITION BY class_id ORDER BY n_rows DESC, value_id ASC) AS place
    FROM ppdt.class_values(tbl, qis, sensitive)
),

ppdt_class AS (
    SELECT
        max(n_rows) AS n_most,
        coalesce(sum(n_rows) FILTER (WHERE place >= l), 0) AS n_tail
    FROM ppdt_ranked
    GROUP BY class_id
)

SELECT max(CASE WHEN n_tail = 0 THEN CAST('Infinity' AS DOUBLE) ELSE round(n_most / n_tail, 12) END) AS recursive_c
FROM ppdt_class;

-- One row: what a class teaches at most of a value, as a gain over the value's share of the table.
-- A gain above -ln(share) satisfies no beta of the enhanced kind: it is infinite, and counted.
CREATE OR REPLACE MACRO ppdt.beta_likeness(tbl, qis, sensitive) AS TABLE
WITH ppdt_gain AS (
    SELECT
        CAST(n_rows AS DOUBLE) * n_total / (CAST(n_class AS DOUBLE) * n_value) - 1 AS gain,
        -ln(CAST(n_value AS DOUBLE) / n_total) AS most_gain
    FROM ppdt.class_values(tbl, qis, sensitive)
)

SELECT
    round(greatest(max(gain), 0), 12) AS basic_beta,
    CASE WHEN count(*) FILTER (WHERE round(gain, 12) > round(most_gain, 12)) > 0
        THEN CAST('Infinity' AS DOUBLE) ELSE round(greatest(max(gain), 0), 12) END AS enhanced_beta,
    count(*) FILTER (WHERE round(gain, 12) > round(most_gain, 12)) AS enhanced_beta_unsatisfiable
FROM ppdt_gain;

-- One row: the largest |ln(share in a class / share in the table)|; strictly, a value that is absent
-- from a class makes it infinite.
CREATE OR REPLACE MACRO ppdt.delta_disclosure(tbl, qis, sensitive) AS TABLE
WITH ppdt_lift AS (
    SELECT
        class_id,
        value_id,
        abs(ln(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_class AS DOUBLE) * n_value))) AS delta
    FROM ppdt.class_values(tbl, qis, sensitive)
)

SELECT
    CASE WHEN count(DISTINCT class_id) * count(DISTINCT value_id) > count(*)
        THEN CAST('Infinity' AS DOUBLE) ELSE round(max(delta), 12) END AS delta_disclosure,
    round(max(delta), 12) AS delta_disclosure_ignoring_absent
FROM ppdt_lift;

-- One row: the largest distance of a class from the table, by equal distance, and by ordered distance,
-- which is NULL where the sensitive column is no number, date or time. NULL, then NaN and the
-- infinities, stand before all other values. Between two values of a class its running share stays the
-- same, and the table's crosses it at most once: no row for every class and value is needed.
CREATE OR REPLACE MACRO ppdt.t_closeness(tbl, qis, sensitive) AS TABLE
WITH ppdt_pair AS (
    SELECT class_id, value, value_id, n_rows, n_class, n_value, n_total
    FROM ppdt.class_values(tbl, qis, sensitive)
),

ppdt_placed AS (
    SELECT
        row_number() OVER (
            ORDER BY CASE
                WHEN value IS NULL THEN 0
                WHEN typeof(value) IN ('FLOAT', 'DOUBLE') AND CAST(value AS VARCHAR) IN ('nan', '-nan') THEN 1
                WHEN CAST(value AS VARCHAR) IN ('inf', '-inf', 'infinity', '-infinity') THEN 2
                ELSE 3 END ASC, value ASC, value_id ASC
        ) - 1 AS code,
        value_id,
        n_value,
        regexp_matches(typeof(value), '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|FLOAT|DOUBLE|DECIMAL.*|DATE|TIME|TIMESTAMP.*)$')
            AND NOT typeof(value) LIKE 'TIME WITH%' AS is_ordered
    FROM (SELECT DISTINCT value, value_id, n_value FROM ppdt_pair)
),

ppdt_upto AS (
    SELECT
        code,
        value_id,
        is_ordered,
        CAST(sum(n_value) OVER (ORDER BY code ASC) AS HUGEINT) AS n_upto
    FROM ppdt_placed
),

ppdt_whole AS (
    SELECT
        code,
        value_id,
        is_ordered,
        n_upto,
        CAST(sum(n_upto) OVER (ORDER BY code ASC) AS HUGEINT) - n_upto AS n_below,
        count(*) OVER () AS n_values,
        CAST(sum(n_upto) OVER () AS HUGEINT) AS whole_below
    FROM ppdt_upto
),

ppdt_segment AS (
    SELECT
        pair.class_id,
        pair.n_class,
        pair.n_total,
        whole.n_values,
        CAST(sum(pair.n_rows) OVER in_order AS HUGEINT) AS n_upto,
        whole.code AS first_code,
        lead(whole.code, 1, whole.n_values) OVER in_order AS next_code,
        whole.n_below AS first_below,
        lead(whole.n_below, 1, whole.whole_below) OVER in_order AS next_below,
        (sum(pair.n_rows) OVER in_order * CAST(pair.n_total AS HUGEINT) + pair.n_class - 1) // pair.n_class AS n_least
    FROM ppdt_pair AS pair
    INNER JOIN ppdt_whole AS whole ON whole.value_id = pair.value_id
    WINDOW in_order AS (PARTITION BY pair.class_id ORDER BY whole.code ASC ROWS UNBOUNDED PRECEDING)
),

ppdt_crossed AS (
    SELECT
        segment.class_id,
        segment.n_class,
        segment.n_total,
        segment.n_values,
        segment.n_upto,
        segment.first_code,
        segment.next_code,
        segment.first_below,
        segment.next_below,
        least(greatest(coalesce(whole.code + 1, 0), segment.first_code), segment.next_code) AS cross_code,
        least(greatest(coalesce(whole.n_below + whole.n_upto, 0), segment.first_below), segment.next_below) AS cross_below
    FROM ppdt_segment AS segment
    ASOF LEFT JOIN ppdt_whole AS whole ON segment.n_least > whole.n_upto
),

ppdt_distance AS (
    SELECT
        CAST(sum(
            n_upto * n_total * (2 * cross_code - first_code - next_code)
            + n_class * (next_below + first_below - 2 * cross_below)
        ) + any_value(n_class) * min(first_below) AS DOUBLE)
        / nullif(CAST(any_value(n_class) AS DOUBLE) * any_value(n_total) * (any_value(n_values) - 1), 0) AS distance
    FROM ppdt_crossed
    GROUP BY class_id
),

ppdt_equal AS (
    SELECT
        CAST(sum(greatest(CAST(n_rows AS HUGEINT) * n_total - CAST(n_value AS HUGEINT) * n_class, 0)) AS DOUBLE)
        / (CAST(any_value(n_class) AS DOUBLE) * any_value(n_total)) AS distance
    FROM ppdt_pair
    GROUP BY class_id
)

SELECT
    CASE WHEN (SELECT bool_and(is_ordered) FROM ppdt_whole)
        THEN (SELECT round(max(coalesce(distance, 0)), 12) FROM ppdt_distance) END AS t_ordered,
    (SELECT round(max(distance), 12) FROM ppdt_equal) AS t_equal;
