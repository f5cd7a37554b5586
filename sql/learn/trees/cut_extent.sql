-- learn/trees/cut_extent.sql: how far the values of a number reach before and after it is cut.
--
-- in:      ppdt_cut_score (node_id, attribute_id, at_code, next_code); ppdt_attribute (attribute_id, n_special);
--          ppdt_class_count (node_id, attribute_id, code, weight); ppdt_splittable (node_id, weight);
--          ppdt_code_<i> (code, position)
-- out:     ppdt_side_extent (node_id, attribute_id, weight, weight_known, weight_left, whole, low_side, high_side)
--          one row per (node_id, attribute_id)
-- keeps:   a range counts by its share of the table's
WITH axis AS (
{% for attribute in ordered %}
    SELECT CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code, position
    FROM {{ attribute.dictionary | ident }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

reach AS (
    SELECT
        cut.node_id, cut.attribute_id, cut.at_code, cut.next_code,
        min(histogram.code) AS lo_code,
        max(histogram.code) AS hi_code,
        CAST(coalesce(sum(histogram.weight) FILTER (
            WHERE histogram.code <= cut.at_code
        ), 0) AS BIGINT) AS weight_left,
        CAST(sum(histogram.weight) AS BIGINT) AS weight_known
    FROM ppdt_cut_score AS cut
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = cut.attribute_id
    INNER JOIN ppdt_class_count AS histogram
        ON histogram.node_id = cut.node_id
        AND histogram.attribute_id = cut.attribute_id
        AND histogram.code >= attribute.n_special
    GROUP BY cut.node_id, cut.attribute_id, cut.at_code, cut.next_code
),

-- The four ends in rows: joined to the axis one by one, each end would meet every value of its column.
ends AS (
    SELECT
        node_id, attribute_id, weight_known, weight_left,
        unnest(['lowest', 'below', 'above', 'highest']) AS name,
        unnest([lo_code, at_code, next_code, hi_code]) AS code
    FROM reach
),

placed AS (
    SELECT
        ends.node_id, ends.attribute_id, ends.weight_known, ends.weight_left,
        max(axis.position) FILTER (WHERE ends.name = 'lowest') AS lowest,
        max(axis.position) FILTER (WHERE ends.name = 'below') AS below,
        max(axis.position) FILTER (WHERE ends.name = 'above') AS above,
        max(axis.position) FILTER (WHERE ends.name = 'highest') AS highest
    FROM ends
    INNER JOIN axis ON axis.attribute_id = ends.attribute_id AND axis.code = ends.code
    GROUP BY ends.node_id, ends.attribute_id, ends.weight_known, ends.weight_left
)

SELECT
    placed.node_id, placed.attribute_id, node.weight, placed.weight_known, placed.weight_left,
    placed.highest - placed.lowest AS whole,
    placed.below - placed.lowest AS low_side,
    placed.highest - placed.above AS high_side
FROM placed
INNER JOIN ppdt_splittable AS node ON node.node_id = placed.node_id;
