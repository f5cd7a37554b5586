-- methods/mondrian/dealt_candidate.sql: a deal as a candidate, so that the guard can judge it.
--
-- in:      ppdt_dealt (node_id, attribute_id, is_right); ppdt_median (node_id, attribute_id, at_code, width)
-- out:     ppdt_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median)
--          one row per (node_id, attribute_id)
SELECT
    median.node_id,
    median.attribute_id,
    median.at_code,
    median.width,
    count(*) FILTER (WHERE NOT dealt.is_right) AS n_rows_left,
    count(*) FILTER (WHERE dealt.is_right) AS n_rows_right,
    TRUE AS is_median
FROM ppdt_median AS median
INNER JOIN ppdt_dealt AS dealt
    ON dealt.node_id = median.node_id AND dealt.attribute_id = median.attribute_id
GROUP BY median.node_id, median.attribute_id, median.at_code, median.width;
