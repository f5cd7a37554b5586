-- recode/live_member.sql: the frozen answer to "which values show which label".
--
-- in:      ppdt_key (cell_id, word_<w>); ppdt_member (cell_id, class_id); ppdt_rank (class_id, label_rank)
-- out:     ppdt.live_<run>_member (word_<w>, label_rank)
--          one row per combination of codes
SELECT
{% for word in words %}
    key.{{ word.name | ident }},
{% endfor %}
    rank.label_rank
FROM ppdt_key AS key
INNER JOIN ppdt_member AS member ON member.cell_id = key.cell_id
INNER JOIN ppdt_rank AS rank ON rank.class_id = member.class_id;
