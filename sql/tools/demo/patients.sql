-- tools/demo/patients.sql: patients that never were, always the same ones.
--
-- in:      nothing
-- out:     patients (patient_id, name, age, sex, zip, admitted, diagnosis, readmitted)
--          one row per patient
-- params:  $rows
-- keeps:   numbers come from multiplications modulo a prime, so that every engine makes the same rows
WITH draw AS (
    SELECT
        i,
        (i * 48271 + 11) % 65537 / 65537.0 AS u,
        (i * 40692 + 77) % 65521 / 65521.0 AS v,
        (i * 39373 + 5) % 65519 / 65519.0 AS w
    FROM range(1, $rows + 1) AS axis (i)
),

person AS (
    SELECT
        i,
        u,
        v,
        w,
        CAST(18 + floor(74 * (0.35 * u + 0.65 * u * v + 0.15 * w)) AS INTEGER) AS age,
        CASE WHEN w < 0.52 THEN 'female' ELSE 'male' END AS sex
    FROM draw
)

SELECT
    concat('P', lpad(CAST((i * 7919) % 99991 AS VARCHAR), 5, '0')) AS patient_id,
    concat(
        CASE
            WHEN sex = 'female' THEN ['Ada', 'Grace', 'Mary', 'Rosa', 'Emmy', 'Ines', 'Lena', 'Noor'][1 + CAST(floor(8 * v) AS INTEGER)]
            ELSE ['Alan', 'Kurt', 'Emil', 'Omar', 'Paul', 'Igor', 'Luca', 'Jens'][1 + CAST(floor(8 * v) AS INTEGER)]
        END,
        ' ',
        ['Adler', 'Brook', 'Costa', 'Dahl', 'Engel', 'Faber', 'Gruen', 'Hale', 'Iwata', 'Jung'][1 + CAST(floor(10 * w) AS INTEGER)]
    ) AS name,
    CASE WHEN i % 41 = 0 THEN NULL ELSE age END AS age,
    sex,
    CAST(80000 + 100 * CAST(floor(6 * v * v) AS INTEGER) + CAST(floor(12 * w) AS INTEGER) AS VARCHAR) AS zip,
    DATE '2026-01-01' + CAST(floor(180 * w) AS INTEGER) AS admitted,
    CASE
        WHEN u * v < 0.05 THEN 'fracture'
        WHEN age < 35 THEN ['asthma', 'appendicitis', 'migraine', 'fracture'][1 + CAST(floor(4 * w) AS INTEGER)]
        WHEN age < 60 THEN ['diabetes', 'asthma', 'hypertension', 'migraine', 'gallstones'][1 + CAST(floor(5 * v) AS INTEGER)]
        ELSE ['heart failure', 'stroke', 'diabetes', 'pneumonia', 'cancer'][1 + CAST(floor(5 * w) AS INTEGER)]
    END AS diagnosis,
    (u + w) / 2 + CASE WHEN age >= 60 THEN 0.25 ELSE 0 END > 0.62 AS readmitted
FROM person;
