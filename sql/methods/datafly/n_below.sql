-- methods/datafly/n_below.sql: how many rows are in classes that break the guarantee.
--
-- in:      ppdt_group (group_id, n_rows); ppdt_broken (group_id)
-- out:     ppdt_n_below (n_rows)
--          one row
SELECT CAST(coalesce(sum(made.n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_group AS made
INNER JOIN ppdt_broken AS broken ON broken.group_id = made.group_id;
