-- methods/specialize/bucket.sql: which values of an attribute show the same at the end.
--
-- in:      ppdt_fork (attribute_id, node_id, child_id, code); ppdt_code_<i> (code)
-- out:     ppdt_bucket_<i> (code, bucket_id)
--          one row per code; a bucket is named by its lowest code
-- params:  $node_ids, $turns
-- keeps:   what the last step on a code's way sent together stays together
WITH done AS (
    SELECT
        unnest(CAST($node_ids AS INTEGER[])) AS node_id,
        unnest(CAST($turns AS INTEGER[])) AS turn
),

latest AS (
    SELECT fork.code, max(done.turn) AS turn
    FROM ppdt_fork AS fork
    INNER JOIN done ON done.node_id = fork.node_id
    WHERE fork.attribute_id = {{ attribute.position | literal }}
    GROUP BY fork.code
),

lain AS (
    SELECT latest.code, latest.turn, fork.child_id
    FROM latest
    INNER JOIN done ON done.turn = latest.turn
    INNER JOIN ppdt_fork AS fork ON fork.node_id = done.node_id AND fork.code = latest.code
    WHERE fork.attribute_id = {{ attribute.position | literal }}
)

SELECT
    dictionary.code,
    min(dictionary.code) OVER (PARTITION BY lain.turn, lain.child_id) AS bucket_id
FROM {{ attribute.dictionary | ident }} AS dictionary
LEFT JOIN lain ON lain.code = dictionary.code;
