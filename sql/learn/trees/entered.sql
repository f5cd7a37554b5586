-- learn/trees/entered.sql: what a prediction is asked of, at the root.
--
-- in:      ppdt_query (unit_id, word_<w>)
-- out:     ppdt_walk (walk_id, node_id, branch, is_arrived, unit_id, target, weight, q<i>)
--          one row per combination
SELECT
    CAST(0 AS INTEGER) AS walk_id,
    CAST(0 AS INTEGER) AS node_id,
    CAST(NULL AS INTEGER) AS branch,
    FALSE AS is_arrived,
    unit_id,
    CAST(NULL AS INTEGER) AS target,
    CAST(1000000000000 AS BIGINT) AS weight,
{% for attribute in attributes %}
    CAST(
        ({{ attribute.word | ident }} >> {{ attribute.shift | literal }}) & {{ attribute.mask | literal }}
        AS {{ attribute.code_type }}
    ) AS {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_query;
