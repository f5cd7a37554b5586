-- audit/path_step.sql: every combination one level down, with what it shares on its path so far.
--
-- in:      ppdt_on_path (unit_id, node_id, shared_id); ppdt_path_unit (unit_id, value_<i>, rank_<i>);
--          ppdt_path_test (node_id, attribute_id, test, tested, child_id)
-- out:     ppdt_path_step (unit_id, node_id, shared_id)
--          one row per combination
-- keeps:   leaves keep what they have; a value without a branch stays in its node, and is told apart there
WITH asked AS (
    SELECT DISTINCT node_id, attribute_id
    FROM ppdt_path_test
),

found AS (
    SELECT walk.unit_id, test.child_id
    FROM ppdt_on_path AS walk
    INNER JOIN ppdt_path_unit AS unit ON unit.unit_id = walk.unit_id
    INNER JOIN ppdt_path_test AS test ON test.node_id = walk.node_id
    WHERE CASE test.attribute_id
{% for column in columns %}
        WHEN {{ column.number | literal }} THEN CASE
{% if column.is_ordered %}
            WHEN unit.{{ column.value | ident }} IS NULL{% if column.released.has_special %} OR NOT isfinite(unit.{{ column.value | ident }}){% endif %} THEN test.test = 'missing'
            WHEN test.test = '<=' THEN coalesce(
                unit.{{ column.value | ident }} <= TRY_CAST(test.tested AS {{ column.as_type }}){% if column.is_number %},
                CAST(unit.{{ column.value | ident }} AS DOUBLE) <= TRY_CAST(test.tested AS DOUBLE){% endif %}

            )
            WHEN test.test = '>' THEN coalesce(
                unit.{{ column.value | ident }} > TRY_CAST(test.tested AS {{ column.as_type }}){% if column.is_number %},
                CAST(unit.{{ column.value | ident }} AS DOUBLE) > TRY_CAST(test.tested AS DOUBLE){% endif %}

            )
{% else %}
            WHEN unit.{{ column.value | ident }} IS NULL THEN test.test = 'missing'
            ELSE test.test = '=' AND CAST(unit.{{ column.value | ident }} AS VARCHAR) = test.tested COLLATE "binary"
{% endif %}
        END
{% endfor %}
        ELSE FALSE
    END
),

placed AS (
    SELECT
        walk.unit_id,
        walk.shared_id,
        coalesce(found.child_id, walk.node_id) AS node_id,
        CASE asked.attribute_id
{% for column in columns %}
            WHEN {{ column.number | literal }} THEN unit.{{ column.rank | ident }}
{% endfor %}
            ELSE 0
        END AS shown
    FROM ppdt_on_path AS walk
    INNER JOIN ppdt_path_unit AS unit ON unit.unit_id = walk.unit_id
    LEFT JOIN asked ON asked.node_id = walk.node_id
    LEFT JOIN found ON found.unit_id = walk.unit_id
)

SELECT unit_id, node_id, dense_rank() OVER (ORDER BY shared_id ASC, shown ASC) AS shared_id
FROM placed;
