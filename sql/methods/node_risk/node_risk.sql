-- methods/node_risk/node_risk.sql: the risks of every node, whatever lies below it.
--
-- in:      ppdt_way (node_id); ppdt_remaining (node_id, n_left, n_whole); ppdt_class_rows (node_id, n_rows);
--          ppdt_people (node_id, n_people) where rows have an entity
-- out:     ppdt_node_risk (node_id, n_rows, n_wrong, big, icr, risk)
--          one row per node
-- keeps:   big, icr and risk count trillionths of a bit, each logarithm rounded once, so that sums are
--          exact; a node without rows has no icr and no risk; people are rows, or the different entities
-- paper:   Yang, Wang, Hu, Li 2019, definitions 1, 2, 3 and 6A
WITH background AS (
    SELECT
        node_id,
        CAST(sum(CAST(round(log2(CAST(n_whole AS DOUBLE) / CAST(n_left AS DOUBLE)) * 1e12) AS BIGINT)) AS BIGINT) AS big
    FROM ppdt_remaining
    GROUP BY node_id
),

held AS (
    SELECT
        node_id,
        CAST(sum(n_rows) AS BIGINT) AS n_rows,
        CAST(sum(n_rows) - max(n_rows) AS BIGINT) AS n_wrong
    FROM ppdt_class_rows
    GROUP BY node_id
),

counted AS (
    SELECT
        held.node_id,
        held.n_rows,
        held.n_wrong,
        CAST(round(log2(CAST({% if has_entity %}people.n_people{% else %}held.n_rows{% endif %} AS DOUBLE)) * 1e12) AS BIGINT) AS icr
    FROM held
{% if has_entity %}
    INNER JOIN ppdt_people AS people ON people.node_id = held.node_id
{% endif %}
)

SELECT
    way.node_id,
    coalesce(counted.n_rows, 0) AS n_rows,
    coalesce(counted.n_wrong, 0) AS n_wrong,
    coalesce(background.big, 0) AS big,
    counted.icr,
    coalesce(background.big, 0) + counted.icr AS risk
FROM ppdt_way AS way
LEFT JOIN background ON background.node_id = way.node_id
LEFT JOIN counted ON counted.node_id = way.node_id
ORDER BY way.node_id ASC;
