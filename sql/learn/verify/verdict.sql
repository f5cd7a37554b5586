-- learn/verify/verdict.sql: what the spans amount to.
--
-- in:      ppdt_span_class (span_id, class, n_rows)
-- out:     ppdt_verdict (n_spans, n_rows, least_rows, n_small, n_rows_small, n_rows_exposed, least_entropy)
--          one row
-- params:  $least_rows
-- keeps:   a row is exposed where all rows of its span share one class; entropy is in bits
WITH class AS (
    SELECT span_id, n_rows, n_rows * 1000000 AS weight
    FROM ppdt_span_class
),

span AS (
    SELECT
        span_id,
        CAST(sum(n_rows) AS BIGINT) AS n_rows,
        count(*) AS n_classes,
        CAST(sum(weight) AS BIGINT) AS weight,
        sum({{ xlog("weight" | ident) }}) AS class_sum
    FROM class
    GROUP BY span_id
)

SELECT
    count(*) AS n_spans,
    CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_rows,
    min(n_rows) AS least_rows,
    count(*) FILTER (WHERE n_rows < $least_rows) AS n_small,
    CAST(coalesce(sum(n_rows) FILTER (WHERE n_rows < $least_rows), 0) AS BIGINT) AS n_rows_small,
    CAST(coalesce(sum(n_rows) FILTER (WHERE n_classes = 1), 0) AS BIGINT) AS n_rows_exposed,
    min(round(CAST({{ xlog("weight" | ident) }} - class_sum AS DOUBLE) / n_rows, 12))
        AS least_entropy
FROM span;
