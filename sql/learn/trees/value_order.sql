-- learn/trees/value_order.sql: the values of every categorical attribute in a node, by their share of a class.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight);
--          ppdt_attribute (attribute_id, is_ordered, n_special); ppdt_count (node_id, target, weight)
-- out:     ppdt_value_order (node_id, attribute_id, order_id, code, place)
--          one row per (node_id, attribute_id, order_id, known code)
-- params:  $n_orders
-- keeps:   one order for each of the node's heaviest classes; of two classes one order is enough. Shares are
--          compared as fractions, to 38 digits; equal shares: the lower code
-- paper:   Breiman, Friedman, Olshen, Stone 1984, theorem 4.5: of two classes, the best subset is a first part
WITH heavy AS (
    SELECT
        node_id,
        target,
        CAST(row_number() OVER (PARTITION BY node_id ORDER BY weight DESC, target ASC) AS INTEGER) AS order_id
    FROM ppdt_count
),

value AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        heavy.order_id,
        histogram.code,
        CAST(sum(histogram.weight) AS HUGEINT) AS weight,
        CAST(coalesce(sum(histogram.weight) FILTER (
            WHERE histogram.target = heavy.target
        ), 0) AS HUGEINT) AS weight_of
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = histogram.attribute_id
    INNER JOIN heavy ON heavy.node_id = histogram.node_id AND heavy.order_id <= $n_orders
    WHERE NOT attribute.is_ordered AND histogram.code >= attribute.n_special
    GROUP BY histogram.node_id, histogram.attribute_id, heavy.order_id, histogram.code
),

shared AS (
    SELECT
        node_id,
        attribute_id,
        order_id,
        code,
        weight,
        weight_of * CAST(10000000000000000000 AS HUGEINT) // weight AS share,
        weight_of * CAST(10000000000000000000 AS HUGEINT) % weight AS rest
    FROM value
)

SELECT
    node_id,
    attribute_id,
    order_id,
    code,
    CAST(row_number() OVER (
        PARTITION BY node_id, attribute_id, order_id
        ORDER BY share ASC, rest * CAST(10000000000000000000 AS HUGEINT) // weight ASC, code ASC
    ) AS INTEGER) AS place
FROM shared;
