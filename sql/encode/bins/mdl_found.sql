-- encode/bins/mdl_found.sql: the cuts just made.
--
-- in:      ppdt_mdl_cut (attribute_id, at_code)
-- out:     what is read (attribute_id, at_code)
--          one row per cut
SELECT attribute_id, at_code
FROM ppdt_mdl_cut;
