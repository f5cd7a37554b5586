-- apply/read_place.sql: the classes of every leaf, the one with most of the leaf's rows first.
--
-- in:      the file of rules
-- out:     ppdt_ranked (leaf_id, class_id, rank)
--          one row per leaf and class
SELECT
    leaf_id,
    class_id,
    row_number() OVER (PARTITION BY leaf_id ORDER BY n_rows DESC, class_id ASC) AS rank
FROM {{ kept | ident }};
