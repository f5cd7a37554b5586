-- methods/mondrian/candidate.sql: every cut that a histogram offers: codes up to at_code go left.
--
-- in:      ppdt_histogram (node_id, attribute_id, code, n_rows); ppdt_pick (node_id, n_rows, attribute_id, width)
-- out:     ppdt_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median)
--          one row per (node_id, attribute_id, at_code); the last code of a node is no cut
-- keeps:   the median is the code at position ceil(n / 2); it stays whole: is_median is true of the cut after its
--          code and, where it may go to either side, of the cut before it
-- paper:   Shao, Beckford, section III B (strict partitioning)
WITH running AS (
    SELECT
        node_id,
        attribute_id,
        code,
        n_rows,
        CAST(sum(n_rows) OVER (
            PARTITION BY node_id, attribute_id
            ORDER BY code ASC
        ) AS BIGINT) AS n_rows_left
{%- if either_side %},
        lead(n_rows) OVER (PARTITION BY node_id, attribute_id ORDER BY code ASC) AS n_rows_next
{%- endif %}

    FROM ppdt_histogram
)

SELECT
    running.node_id,
    running.attribute_id,
    running.code AS at_code,
    pick.width,
    running.n_rows_left,
    pick.n_rows - running.n_rows_left AS n_rows_right,
{% if either_side %}
    2 * (running.n_rows_left + running.n_rows_next) >= pick.n_rows
        AND 2 * (running.n_rows_left - running.n_rows) < pick.n_rows AS is_median
{% else %}
    2 * running.n_rows_left >= pick.n_rows
        AND 2 * (running.n_rows_left - running.n_rows) < pick.n_rows AS is_median
{% endif %}
FROM running
INNER JOIN ppdt_pick AS pick
    ON pick.node_id = running.node_id AND pick.attribute_id = running.attribute_id
WHERE running.n_rows_left < pick.n_rows;
