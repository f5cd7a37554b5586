-- learn/verify/remaining.sql: how many are still on their way.
--
-- in:      ppdt_at (person_id)
-- out:     ppdt_remaining (n_remaining)
--          one row
SELECT count(*) AS n_remaining
FROM ppdt_at;
