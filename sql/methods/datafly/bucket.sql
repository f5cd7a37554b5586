-- methods/datafly/bucket.sql: which values of an attribute show the same at the end.
--
-- in:      ppdt_generalization (attribute_id, level, code, bucket_id); ppdt_member (cell_id); ppdt_cell (cell_id, q<i>)
-- out:     ppdt_bucket_<i> (code, bucket_id)
--          one row per code; a bucket is named by its lowest code
-- params:  $attribute_id, $level
-- keeps:   a range or set tells nothing of values that only dropped rows had; a node is of the hierarchy
SELECT generalization.code, generalization.bucket_id
FROM ppdt_generalization AS generalization
{% if attribute.recode != "node" %}
SEMI JOIN (
    SELECT cell.{{ attribute.code | ident }} AS code
    FROM ppdt_cell AS cell
    INNER JOIN ppdt_member AS member ON member.cell_id = cell.cell_id
) AS released ON released.code = generalization.code
{% endif %}
WHERE generalization.attribute_id = $attribute_id AND generalization.level = $level;
