-- tree/attribute.sql: what the steps must know of every attribute.
--
-- in:      nothing
-- out:     ppdt_attribute (attribute_id, is_ordered, n_special, is_averaged)
--          one row per attribute
-- params:  $attribute_ids, $is_ordered, $n_special, $is_averaged
-- keeps:   codes below n_special are missing values; attributes of very many values have no say in
--          the average gain
SELECT
    unnest($attribute_ids) AS attribute_id,
    unnest($is_ordered) AS is_ordered,
    unnest($n_special) AS n_special,
    unnest($is_averaged) AS is_averaged;
