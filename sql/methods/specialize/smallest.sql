-- methods/specialize/smallest.sql: the smallest class that each candidate would make of the classes at hand.
--
-- in:      ppdt_touched (class_id, n_rows, q<i>); ppdt_child_<i> (code, node_id, child_id)
-- out:     ppdt_smallest (attribute_id, node_id, n_rows)
--          one row per candidate that concerns any of these classes
-- keeps:   a value that is disclosed leaves the others of its class behind, who count as well
WITH sized AS (
    SELECT class_id, sum(n_rows) AS n_rows
    FROM ppdt_touched
    GROUP BY class_id
),

-- One row per candidate, child and class.
counted AS (
{% for attribute in live %}
    SELECT
        CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
        {{ attribute.child }}.node_id,
        touched.class_id,
        sum(touched.n_rows) AS n_rows,
        {%+ if attribute.position in hidden %}TRUE{% else %}FALSE{% endif %} AS is_value
    FROM ppdt_touched AS touched
    INNER JOIN {{ attribute.child_relation }} AS {{ attribute.child }}
        ON {{ attribute.child }}.code = touched.{{ attribute.code | ident }}
    GROUP BY touched.class_id, {{ attribute.child }}.node_id,
        {{ attribute.child }}.child_id
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT
    counted.attribute_id,
    counted.node_id,
    CAST(min(CASE
        WHEN counted.is_value AND sized.n_rows > counted.n_rows
            THEN least(counted.n_rows, sized.n_rows - counted.n_rows)
        ELSE counted.n_rows
    END) AS BIGINT) AS n_rows
FROM counted
INNER JOIN sized ON sized.class_id = counted.class_id
GROUP BY counted.attribute_id, counted.node_id;
