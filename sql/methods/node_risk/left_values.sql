-- methods/node_risk/left_values.sql: what the tests on the way to every node leave of a categorical attribute.
--
-- in:      ppdt_above (node_id, above_id); ppdt_way (node_id, attribute_id); ppdt_way_value (node_id, value);
--          ppdt_code_<i> (code, value)
-- out:     ppdt_remaining (node_id, attribute_id, n_left, n_whole)
--          one row per node that has the attribute tested on its way
-- keeps:   NULL is a value; n_left counts the source's values that pass every test, and at least one
-- paper:   Yang, Wang, Hu, Li 2019, definition 1
WITH test AS (
    SELECT above.node_id, above.above_id
    FROM ppdt_above AS above
    INNER JOIN ppdt_way AS way ON way.node_id = above.above_id
    WHERE way.attribute_id = {{ attribute.position | literal }}
),

tested AS (
    SELECT node_id, count(*) AS n_tests
    FROM test
    GROUP BY node_id
),

passed AS (
    SELECT test.node_id, dictionary.code, count(*) AS n_passed
    FROM test
    INNER JOIN ppdt_way_value AS accepted ON accepted.node_id = test.above_id
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
        ON CAST(dictionary.value AS VARCHAR) IS NOT DISTINCT FROM accepted.value COLLATE "binary"
    GROUP BY test.node_id, dictionary.code
)

SELECT
    tested.node_id,
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(greatest(1, count(passed.code)) AS HUGEINT) AS n_left,
    CAST({{ attribute.n_codes | literal }} AS HUGEINT) AS n_whole
FROM tested
LEFT JOIN passed ON passed.node_id = tested.node_id AND passed.n_passed = tested.n_tests
GROUP BY tested.node_id;
