-- methods/specialize/gain.sql: what every inner node's children tell of the target, and where it stands.
--
-- in:      ppdt_fork (attribute_id, node_id, child_id, code);
--          ppdt_tally_code (attribute_id, code, target, n_rows)
-- out:     ppdt_gain (attribute_id, node_id, parent_id, first_code, n_children, gain)
--          one row per inner node; the root has no parent
-- keeps:   recoding is global, so a gain never changes; rounded to 12 digits
WITH counted AS (
    SELECT fork.attribute_id, fork.node_id, fork.child_id, tally.target,
        CAST(sum(tally.n_rows) AS BIGINT) AS n_rows,
        min(fork.code) AS first_code
    FROM ppdt_fork AS fork
    INNER JOIN ppdt_tally_code AS tally
        ON tally.attribute_id = fork.attribute_id AND tally.code = fork.code
    GROUP BY fork.attribute_id, fork.node_id, fork.child_id, tally.target
),

-- One row per child.
child AS (
    SELECT attribute_id, node_id, child_id,
        CAST(sum(n_rows) AS BIGINT) AS n_rows,
        min(first_code) AS first_code,
        sum({% with weight = "n_rows" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}) AS told
    FROM counted
    GROUP BY attribute_id, node_id, child_id
),

-- One row per inner node: its rows, and what its children leave open.
whole AS (
    SELECT attribute_id, node_id,
        CAST(sum(n_rows) AS BIGINT) AS n_rows,
        min(first_code) AS first_code,
        count(*) AS n_children,
        sum({% with weight = "n_rows" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %} - told) AS open_below
    FROM child
    GROUP BY attribute_id, node_id
),

of_node AS (
    SELECT attribute_id, node_id, target, CAST(sum(n_rows) AS BIGINT) AS n_rows
    FROM counted
    GROUP BY attribute_id, node_id, target
),

own AS (
    SELECT attribute_id, node_id,
        sum({% with weight = "n_rows" | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}) AS told
    FROM of_node
    GROUP BY attribute_id, node_id
)

SELECT whole.attribute_id, whole.node_id, child.node_id AS parent_id, whole.first_code,
    whole.n_children,
    round(CAST({% with weight = ("whole", "n_rows") | ident %}{% include "lib/fragments/n_log.sql" %}{% endwith %}
        - own.told - whole.open_below AS DOUBLE) / whole.n_rows, 12) AS gain
FROM whole
INNER JOIN own ON own.attribute_id = whole.attribute_id AND own.node_id = whole.node_id
LEFT JOIN child ON child.attribute_id = whole.attribute_id AND child.child_id = whole.node_id;
