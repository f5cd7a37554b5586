-- encode/bins/mdl_split.sql: the parts that may be cut further: the two sides of the cuts just made.
--
-- in:      ppdt_mdl_count (attribute_id, part, code, target, weight, n_counted); ppdt_mdl_cut (attribute_id, part, at_code)
-- out:     ppdt_mdl_split (attribute_id, part, code, target, weight, n_counted)
--          one row per row of ppdt_mdl_count whose part was cut
-- keeps:   parts stand in the order of their values
SELECT
    counted.attribute_id,
    counted.part * 2 + CASE WHEN counted.code > cut.at_code THEN 1 ELSE 0 END AS part,
    counted.code,
    counted.target,
    counted.weight,
    counted.n_counted
FROM ppdt_mdl_count AS counted
INNER JOIN ppdt_mdl_cut AS cut
    ON cut.attribute_id = counted.attribute_id AND cut.part = counted.part;
