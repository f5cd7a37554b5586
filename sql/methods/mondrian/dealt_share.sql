-- methods/mondrian/dealt_share.sql: how often each sensitive value occurs on each side of a deal.
--
-- in:      ppdt_dealt (node_id, attribute_id, unit_id, is_right); ppdt_unit_protected (unit_id, kind, protected_key);
--          ppdt_candidate (node_id, attribute_id, at_code)
-- out:     ppdt_share (node_id, attribute_id, at_code, kind, protected_key, n_left, n_right)
--          one row per (node_id, attribute_id, kind, protected_key)
SELECT
    candidate.node_id,
    candidate.attribute_id,
    candidate.at_code,
    unit_protected.kind,
    unit_protected.protected_key,
    count(*) FILTER (WHERE NOT dealt.is_right) AS n_left,
    count(*) FILTER (WHERE dealt.is_right) AS n_right
FROM ppdt_candidate AS candidate
INNER JOIN ppdt_dealt AS dealt
    ON dealt.node_id = candidate.node_id AND dealt.attribute_id = candidate.attribute_id
INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = dealt.unit_id
WHERE unit_protected.kind > 0
GROUP BY
    candidate.node_id, candidate.attribute_id, candidate.at_code,
    unit_protected.kind, unit_protected.protected_key;
