-- methods/specialize/child_value.sql: the suppressed values of one attribute that may be disclosed.
--
-- in:      nothing
-- out:     ppdt_child_<i> (code, node_id, child_id)
--          one row per candidate: a code is its own candidate
-- params:  $node_ids
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS code,
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    CAST(1 AS INTEGER) AS child_id;
