-- audit/path_size.sql: how few come to a leaf, and how few share the values of their path.
--
-- in:      ppdt_on_path (unit_id, node_id, shared_id); ppdt_path_unit (unit_id, n_rows, entity)
-- out:     ppdt_path_size (leaf, path)
--          one row
-- keeps:   counts people where rows have an entity; rows without one count as one, all together
WITH leaf AS (
    SELECT {% include "lib/fragments/subjects.sql" %} AS n_subjects
    FROM ppdt_on_path AS walk
    INNER JOIN ppdt_path_unit AS unit ON unit.unit_id = walk.unit_id
    GROUP BY walk.node_id
),

shared AS (
    SELECT {% include "lib/fragments/subjects.sql" %} AS n_subjects
    FROM ppdt_on_path AS walk
    INNER JOIN ppdt_path_unit AS unit ON unit.unit_id = walk.unit_id
    GROUP BY walk.node_id, walk.shared_id
)

SELECT
    (SELECT min(n_subjects) FROM leaf) AS leaf,
    (SELECT min(n_subjects) FROM shared) AS path;
