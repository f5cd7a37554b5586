-- The audit as SQL: any client of the database may ask, without our Python.
--
--     FROM ppdt.k_anonymity('patients_k10', ['age', 'zip']);
--     FROM ppdt.l_diversity('patients_k10', ['age', 'zip'], 'diagnosis');
--     FROM ppdt.risk('patients_k10', ['age', 'zip']);
--
-- `tbl` names a table or view, `qis` lists the quasi-identifiers, in any case. A name that the table
-- does not have is an error: a class by fewer columns would look larger than it is. NULL is a value;
-- values are told apart by a hash of them too, so that a collation of the column merges no classes.

-- One row per class: its quasi-identifiers and its size.
CREATE OR REPLACE MACRO ppdt.classes(tbl, qis) AS TABLE
WITH wanted AS (
    SELECT list_filter(
        list_transform(qis, lambda q: lower(q)),
        lambda q: NOT list_contains(list_transform(struct_keys(any_value(ppdt_row)), lambda x: lower(x)), q)
    ) AS missing
    FROM (SELECT ppdt_row FROM query_table(tbl) AS ppdt_row LIMIT 1)
),

class AS (
    SELECT
        hash(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS ppdt_hash,
        COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x))),
        count(*) AS ppdt_n_rows
    FROM query_table(tbl)
    GROUP BY ALL
)

SELECT
    class.* EXCLUDE (ppdt_hash, ppdt_n_rows),
    class.ppdt_n_rows AS ppdt_n_rows
FROM class
CROSS JOIN wanted
WHERE CASE WHEN len(wanted.missing) > 0
    THEN error('ppdt: the table has no column ' || array_to_string(wanted.missing, ', '))
    ELSE TRUE END;

-- One row: the size of the smallest class, and how many classes and rows there are.
CREATE OR REPLACE MACRO ppdt.k_anonymity(tbl, qis) AS TABLE
SELECT
    min(ppdt_n_rows) AS k,
    count(*) AS classes,
    CAST(coalesce(sum(ppdt_n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt.classes(tbl, qis);

-- One row: the risks of being found, for people who are known to be in the release.
CREATE OR REPLACE MACRO ppdt.risk(tbl, qis) AS TABLE
SELECT
    1 / min(ppdt_n_rows) AS prosecutor_risk_max,
    count(*) / sum(ppdt_n_rows) AS prosecutor_risk_mean,
    count(*) / sum(ppdt_n_rows) AS marketer_risk,
    count(*) FILTER (WHERE ppdt_n_rows = 1) / sum(ppdt_n_rows) AS sample_uniqueness,
    CAST(coalesce(sum(ppdt_n_rows) FILTER (WHERE ppdt_n_rows < 5), 0) AS BIGINT) AS rows_at_risk
FROM ppdt.classes(tbl, qis);

-- One row: how well the classes hide one sensitive column.
CREATE OR REPLACE MACRO ppdt.l_diversity(tbl, qis, sensitive) AS TABLE
WITH wanted AS (
    SELECT list_filter(
        list_transform(list_append(qis, sensitive), lambda q: lower(q)),
        lambda q: NOT list_contains(list_transform(struct_keys(any_value(ppdt_row)), lambda x: lower(x)), q)
    ) AS missing
    FROM (SELECT ppdt_row FROM query_table(tbl) AS ppdt_row LIMIT 1)
),

class_value AS (
    SELECT
        hash(*COLUMNS(lambda x: list_contains(list_transform(qis, lambda q: lower(q)), lower(x)))) AS class_id,
        hash(*COLUMNS(lambda x: lower(x) = lower(sensitive))) AS value_id,
        count(*) AS n_rows
    FROM query_table(tbl)
    GROUP BY ALL
),

class AS (
    SELECT
        class_id,
        count(*) AS n_values,
        sum(n_rows) AS n_rows,
        max(n_rows) AS n_most,
        sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS n_ln_n
    FROM class_value
    GROUP BY class_id
)

SELECT
    min(class.n_values) AS distinct_l,
    min(round(exp(ln(class.n_rows) - CAST(class.n_ln_n AS DOUBLE) / class.n_rows), 12)) AS entropy_l,
    round(max(class.n_most / class.n_rows), 12) AS alpha
FROM class
CROSS JOIN wanted
WHERE CASE WHEN len(wanted.missing) > 0
    THEN error('ppdt: the table has no column ' || array_to_string(wanted.missing, ', '))
    ELSE TRUE END;
