-- methods/kactus/drawn_row.sql: draw the rows that pools lend to the node above them, at random or the best first.
--
-- in:      ppdt_lends (pool_id, n_extra, to_id, n_needed); ppdt_pool (leaf_id, pool_id);
--          ppdt_leaf (cell_id, leaf_id); ppdt_row (row_id, cell_id, target); ppdt_pool_class (pool_id, target)
-- out:     ppdt_drawn_row (row_id, from_id, to_id)
--          one row per row that is drawn
-- params:  $run_key
-- keeps:   every pool keeps all rows but its extras, every node gets what it needs; row_id is itself a
--          draw, the second draw is independent of it; a row's cost is by how much the errors of both pools grow
--          where each predicts its most frequent class
WITH spread AS (
    SELECT
        lends.pool_id,
        lends.to_id,
        lends.n_extra,
        lends.n_needed,
        placed.row_id,
        {%+ include "lib/fragments/lending_cost.sql" %} AS cost,
        row_number() OVER (
            PARTITION BY lends.pool_id ORDER BY {% if is_greedy %}{% include "lib/fragments/lending_cost.sql" %} ASC, {% endif %}placed.row_id ASC
        ) AS place
    FROM ppdt_lends AS lends
    INNER JOIN ppdt_pool AS pool ON pool.pool_id = lends.pool_id
    INNER JOIN ppdt_leaf AS leaf ON leaf.leaf_id = pool.leaf_id
    INNER JOIN ppdt_row AS placed ON placed.cell_id = leaf.cell_id
{% if is_greedy %}
    INNER JOIN ppdt_pool_class AS own ON own.pool_id = lends.pool_id
    INNER JOIN ppdt_pool_class AS above ON above.pool_id = lends.to_id
{% endif %}
),

spare AS (
    SELECT
        pool_id,
        to_id,
        n_needed,
        row_id,
        cost,
        sha256(concat_ws('|', $run_key, 'lent', CAST(row_id AS VARCHAR))) AS draw
    FROM spread
    WHERE place <= n_extra
),

extra AS (
    SELECT
        pool_id,
        to_id,
        n_needed,
        row_id,
        row_number() OVER (PARTITION BY to_id ORDER BY cost ASC, draw ASC, row_id ASC) AS place
    FROM spare
)

SELECT row_id, pool_id AS from_id, to_id
FROM extra
WHERE place <= n_needed;
