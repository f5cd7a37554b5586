-- tree/inner.sql: the splits of a tree, as a relation.
--
-- in:      nothing
-- out:     ppdt_inner (node_id, attribute_id, at_code, next_code)
--          one row per inner node
-- params:  $node_ids, $attribute_ids, $at_codes, $next_codes
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($at_codes AS INTEGER[])) AS at_code,
    unnest(CAST($next_codes AS INTEGER[])) AS next_code;
