-- tools/bench/census.sql: people in the shape of a census: skewed, with values that go together.
--
-- in:      nothing
-- out:     census (age, workclass, education, marital_status, occupation, race, sex, native_country, hours_per_week, diagnosis)
--          one row per person
-- keeps:   numbers come from multiplications modulo primes, so that every engine makes the same rows
WITH seed AS (
    SELECT
        i,
        (i * 48271 + 11) % 2147483647 AS s1,
        (i * 40692 + 77) % 2147483399 AS s2,
        (i * 39373 + 5) % 2147483629 AS s3,
        (i * 62089911 + 3) % 2147483647 AS s4,
        (i * 742938285 + 9) % 2147483647 AS s5,
        (i * 950706376 + 1) % 2147483647 AS s6,
        (i * 1226874159 + 1) % 2147483647 AS s7
    FROM range(1, {{ rows | literal }} + 1) AS axis (i)
),

draw AS (
    SELECT
        (xor(s1, s1 >> 13) * 69621) % 2147483647 / 2147483647.0 AS u1,
        (xor(s2, s2 >> 11) * 16807) % 2147483647 / 2147483647.0 AS u2,
        (xor(s3, s3 >> 12) * 48271) % 2147483647 / 2147483647.0 AS u3,
        (xor(s4, s4 >> 14) * 16807) % 2147483647 / 2147483647.0 AS u4,
        (xor(s5, s5 >> 13) * 16807) % 2147483647 / 2147483647.0 AS u5,
        (xor(s6, s6 >> 12) * 48271) % 2147483647 / 2147483647.0 AS u6,
        (xor(s7, s7 >> 12) * 69621) % 2147483647 / 2147483647.0 AS u7
    FROM seed
)

SELECT
    CAST(17 + floor(73 * u1 * sqrt(u1)) AS INTEGER) AS age,
    concat('work', CAST(CAST(floor(8 * u2 * u2 * u2) AS INTEGER) AS VARCHAR)) AS workclass,
    concat('edu', lpad(CAST(CAST(floor(16 * sqrt(u3) * (0.6 + 0.4 * u1)) AS INTEGER) AS VARCHAR), 2, '0')) AS education,
    concat('mar', CAST(CAST(floor(7 * power(u4, 1.0 + 3 * u1)) AS INTEGER) AS VARCHAR)) AS marital_status,
    concat('occ', lpad(CAST(CAST(floor(14 * u5) AS INTEGER) AS VARCHAR), 2, '0')) AS occupation,
    concat('race', CAST(CAST(floor(5 * power(u6, 6)) AS INTEGER) AS VARCHAR)) AS race,
    CASE WHEN u7 < 0.67 THEN 'm' ELSE 'f' END AS sex,
    concat('c', lpad(CAST(CAST(floor(41 * power(u7 * u6, 8)) AS INTEGER) AS VARCHAR), 2, '0')) AS native_country,
    CASE WHEN u4 < 0.45 THEN 40 ELSE CAST(1 + floor(98 * (u5 + u2 + u4) / 3) AS INTEGER) END AS hours_per_week,
    concat('d', CAST(CAST(floor(12 * u6) AS INTEGER) AS VARCHAR)) AS diagnosis
FROM draw;
