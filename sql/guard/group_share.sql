-- guard/group_share.sql: the sensitive values of groups, in the form in which sides of cuts are judged.
--
-- in:      ppdt_group_protected (group_id, kind, protected_key, n_rows)
-- out:     ppdt_share (node_id, attribute_id, at_code, kind, protected_key, n_left, n_right)
--          one row per (group, kind, protected_key); a group is the left side of a cut that leaves nothing right
SELECT
    group_id AS node_id,
    CAST(0 AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS at_code,
    kind,
    protected_key,
    n_rows AS n_left,
    CAST(0 AS BIGINT) AS n_right
FROM ppdt_group_protected
WHERE kind > 0;
