-- tools/demo/everyone.sql: all patients, to be written to a file.
--
-- in:      patients
-- out:     everyone (patient_id, name, age, sex, zip, admitted, diagnosis, readmitted)
--          one row per patient
SELECT
    patient_id,
    name,
    age,
    sex,
    zip,
    admitted,
    diagnosis,
    readmitted
FROM {{ relation }} AS patients;
