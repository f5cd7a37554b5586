-- methods/mondrian/kept_deal.sql: the deals that became cuts, until the level is carried out.
--
-- in:      ppdt_dealt (node_id, attribute_id, unit_id, is_right); ppdt_cut (node_id, attribute_id)
-- out:     ppdt_kept_deal (unit_id, is_right)
--          one row per row of a node that is cut
SELECT dealt.unit_id, dealt.is_right
FROM ppdt_dealt AS dealt
INNER JOIN ppdt_cut AS cut
    ON cut.node_id = dealt.node_id AND cut.attribute_id = dealt.attribute_id;
