-- tools/bench/mdl_bin.sql: the name of the part in which every value ended.
--
-- in:      ppdt_mdl_count (attribute_id, part, code)
-- out:     ppdt_mdl_bin (attribute_id, code, bin)
--          one row per (attribute_id, code)
WITH placed AS (
    SELECT DISTINCT attribute_id, code, part
    FROM ppdt_mdl_count
)

SELECT
    attribute_id,
    code,
    concat('part ', dense_rank() OVER (PARTITION BY attribute_id ORDER BY part ASC)) AS bin
FROM placed;
