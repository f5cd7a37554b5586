-- learn/set_id3/most.sql: the highest code of a set, which says how many bits a code needs.
--
-- in:      ppdt_set_share (set_code)
-- out:     ppdt_most (set_code)
--          one row
SELECT coalesce(max(set_code), 0) AS set_code
FROM ppdt_set_share;
