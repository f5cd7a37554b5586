-- kactus/lends.sql: the pools that lend, what each can spare, and what is needed where.
--
-- in:      nothing
-- out:     ppdt_lends (pool_id, n_extra, to_id, n_needed)
--          one row per pool that lends
-- params:  $pool_ids, $extras, $to_ids, $needed
SELECT
    unnest(CAST($pool_ids AS INTEGER[])) AS pool_id,
    unnest(CAST($extras AS BIGINT[])) AS n_extra,
    unnest(CAST($to_ids AS INTEGER[])) AS to_id,
    unnest(CAST($needed AS BIGINT[])) AS n_needed;
