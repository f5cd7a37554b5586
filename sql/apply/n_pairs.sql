-- apply/n_pairs.sql: how many classes would have to be looked at, if one quasi-identifier led to them.
--
-- in:      ppdt_new_cell (leaf_id, q<i>); ppdt_ranked (leaf_id, class_id); ppdt_meets_<i> (class_id, code)
-- out:     ppdt_n_pairs (n_pairs)
--          one row
WITH counted AS (
    SELECT leaf_id, {{ reach.attribute.code | ident }} AS code, count(*) AS n_cells
    FROM ppdt_new_cell
    GROUP BY leaf_id, {{ reach.attribute.code | ident }}
)

SELECT CAST(coalesce(sum(counted.n_cells), 0) AS BIGINT) AS n_pairs
FROM ppdt_ranked AS place
INNER JOIN {{ reach.meets | ident }} AS meets ON meets.class_id = place.class_id
INNER JOIN counted ON counted.leaf_id = place.leaf_id AND counted.code = meets.code;
