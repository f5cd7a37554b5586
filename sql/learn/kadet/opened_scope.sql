-- learn/kadet/opened_scope.sql: which spans reach the scopes below splits on public attributes that do not divide them.
--
-- in:      ppdt_meeting (span_id, scope_id); ppdt_opening (node_id, scope_id);
--          ppdt_choice (node_id, attribute_id, at_code); ppdt_branch (node_id, branch, child_id);
--          ppdt_span_extent (span_id, attribute_id, lo_code, hi_code); ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_opened_scope (span_id, scope_id)
--          one row per span and scope
WITH placed AS (
    SELECT
        meeting.span_id,
        cut.node_id,
        CASE
            WHEN extent.lo_code < attribute.n_special THEN -1
            WHEN attribute.is_ordered THEN CAST(extent.lo_code > cut.at_code AS INTEGER)
            ELSE extent.lo_code
        END AS branch
    FROM ppdt_opening AS opening
    INNER JOIN ppdt_choice AS cut ON cut.node_id = opening.node_id
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = cut.attribute_id
    INNER JOIN ppdt_meeting AS meeting ON meeting.scope_id = opening.scope_id
    INNER JOIN ppdt_span_extent AS extent
        ON extent.span_id = meeting.span_id AND extent.attribute_id = cut.attribute_id
    WHERE NOT ({% with cut = "cut" %}{% include "lib/fragments/divides.sql" %}{% endwith %})
)

SELECT placed.span_id, branch.child_id AS scope_id
FROM placed
INNER JOIN ppdt_branch AS branch
    ON branch.node_id = placed.node_id AND branch.branch = placed.branch;
