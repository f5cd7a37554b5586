-- methods/node_risk/left_values.sql: what the tests on the way to every node leave of a categorical attribute.
--
-- in:      ppdt_above (node_id, above_id); ppdt_way (node_id, attribute_id)
-- out:     ppdt_remaining (node_id, attribute_id, n_left, n_whole)
--          one row per node that has the attribute tested on its way
-- keeps:   NULL is a value; a test by equality, or for a missing value, leaves one
-- paper:   Yang, Wang, Hu, Li 2019, definition 1
SELECT DISTINCT
    above.node_id,
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(1 AS HUGEINT) AS n_left,
    CAST({{ attribute.n_codes | literal }} AS HUGEINT) AS n_whole
FROM ppdt_above AS above
INNER JOIN ppdt_way AS way ON way.node_id = above.above_id
WHERE way.attribute_id = {{ attribute.position | literal }};
