-- label/node.sql: the words of the lowest node that holds all codes of a class.
--
-- in:      ppdt_extent (lo_<o>, hi_<o>); ppdt_node_<i> (node_id, first_code, last_code, words)
-- out:     ppdt_common_<i> (lo, hi, words)
--          one row per pair of first and last codes that occurs
-- keeps:   of the nodes that hold both codes the lowest has the largest number
WITH occurring AS (
    SELECT DISTINCT
        {{ attribute.lo }} AS lo,
        {{ attribute.hi }} AS hi
    FROM ppdt_extent
),

common AS (
    SELECT occurring.lo, occurring.hi, max(node.node_id) AS node_id
    FROM occurring
    INNER JOIN {{ attribute.node | ident }} AS node
        ON node.first_code <= occurring.lo AND node.last_code >= occurring.hi
    GROUP BY occurring.lo, occurring.hi
)

SELECT common.lo, common.hi, {% with text = ("node", "words") | ident, is_text = True %}{% include "lib/fragments/plain.sql" %}{% endwith %} AS words
FROM common
INNER JOIN {{ attribute.node | ident }} AS node ON node.node_id = common.node_id;
