-- audit/disclosure.sql: how many bits an attacker lacks who looks for somebody among groups: BIG, ICR and TIDI.
--
-- in:      ppdt_background (class_id, big, n_known) and ppdt_subject (class_id, n_rows, n_subjects), or those of the
--          original
-- out:     ppdt_disclosure (big, icr, tidi, tidi_least)
--          one row: means over the rows, and the least TIDI of a group; NULL where a label cannot be measured
-- params:  $n_quasi
-- keeps:   means are exact sums of trillionths of a bit, divided once
-- paper:   Yang, Wang, Hu, Li 2019, definitions 1 to 3, and 5: what counts is the least
WITH class AS (
    SELECT
        subject.n_rows,
        background.big,
        background.n_known,
        CAST(round(log2(CAST(subject.n_subjects AS DOUBLE)) * 1e12) AS BIGINT) AS icr
    FROM {{ subject | ident }} AS subject
    LEFT JOIN {{ background | ident }} AS background ON background.class_id = subject.class_id
),

total AS (
    SELECT
        sum(CAST(n_rows AS HUGEINT) * big) AS big,
        sum(CAST(n_rows AS HUGEINT) * icr) AS icr,
        min(big + icr) AS tidi_least,
        CAST(sum(n_rows) AS DOUBLE) * 1e12 AS n_parts,
        coalesce(min(coalesce(n_known, 0)), 0) = $n_quasi AS is_known
    FROM class
)

SELECT
    round(CAST(big AS DOUBLE) / n_parts, 12) AS big,
    round(CAST(icr AS DOUBLE) / n_parts, 12) AS icr,
    round(CAST(big + icr AS DOUBLE) / n_parts, 12) AS tidi,
    round(CAST(tidi_least AS DOUBLE) / 1e12, 12) AS tidi_least
FROM total
WHERE is_known;
