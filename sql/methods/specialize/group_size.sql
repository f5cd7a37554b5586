-- methods/specialize/group_size.sql: how many classes a step makes, and of how many rows.
--
-- in:      ppdt_group (n_rows)
-- out:     ppdt_group_size (n_groups, n_rows)
--          one row
SELECT count(*) AS n_groups, CAST(sum(n_rows) AS BIGINT) AS n_rows
FROM ppdt_group;
