-- methods/univariate/goal.sql: the shortest way through all blocks, from before the first row to behind the last.
--
-- in:      ppdt_path_<i> (block_id, entry, exit) of the highest level
-- out:     ppdt_goal (block_id, entry, exit)
--          one row
-- params:  $exit
SELECT block_id, entry, exit
FROM {{ below | ident }}
WHERE block_id = 0 AND entry = 0 AND exit = $exit;
