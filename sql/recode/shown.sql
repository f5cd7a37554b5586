-- recode/shown.sql: the labels under their numbers, those that a row shows.
--
-- in:      ppdt_label (class_id, <label>); ppdt_rank (class_id, label_rank); ppdt_sorted (label_rank)
-- out:     ppdt_shown (label_rank, <label>)
--          one row per label_rank
-- keeps:   never more rows than are sorted, so that a join looks labels up
SELECT DISTINCT
    rank.label_rank,
{% for label in labels %}
    label.{{ label.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_rank AS rank
SEMI JOIN ppdt_sorted AS sorted ON sorted.label_rank = rank.label_rank
INNER JOIN ppdt_label AS label ON label.class_id = rank.class_id;
