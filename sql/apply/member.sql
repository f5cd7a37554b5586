-- apply/member.sql: the class of every combination of new rows that is shown.
--
-- in:      ppdt_fitting_class (cell_id, leaf_id, rank); ppdt_ranked (leaf_id, class_id, rank)
-- out:     ppdt_member (cell_id, class_id)
--          one row per combination
SELECT fit.cell_id, place.class_id
FROM ppdt_fitting_class AS fit
INNER JOIN ppdt_ranked AS place ON place.leaf_id = fit.leaf_id AND place.rank = fit.rank;
