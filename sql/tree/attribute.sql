-- tree/attribute.sql: what the steps must know of every attribute.
--
-- in:      nothing
-- out:     ppdt_attribute (attribute_id, is_ordered, n_special, is_averaged)
--          one row per attribute
-- params:  $attribute_ids, $is_ordered, $n_special, $is_averaged
-- keeps:   codes below n_special are missing values; attributes of very many values have no say in
--          the average gain
SELECT
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($is_ordered AS BOOLEAN[])) AS is_ordered,
    unnest(CAST($n_special AS INTEGER[])) AS n_special,
    unnest(CAST($is_averaged AS BOOLEAN[])) AS is_averaged;
