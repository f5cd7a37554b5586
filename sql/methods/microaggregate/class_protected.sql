-- methods/microaggregate/class_protected.sql: the entities and sensitive values of every class.
--
-- in:      ppdt_member (row_id, class_id), or another relation of that form;
--          ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_group_protected (group_id, kind, protected_key, n_rows)
--          one row per (group_id, kind, protected_key)
SELECT member.class_id AS group_id, held.kind, held.protected_key, CAST(sum(held.n_rows) AS BIGINT) AS n_rows
FROM ppdt_unit_protected AS held
INNER JOIN {{ place | ident }} AS member ON member.row_id = held.unit_id
GROUP BY member.class_id, held.kind, held.protected_key;
