-- recode/live_label.sql: the frozen labels.
--
-- in:      ppdt_shown (label_rank, <label>)
-- out:     ppdt.live_<run>_label (label_rank, <label>)
--          one row per label_rank
SELECT
    label_rank,
{% for label in labels %}
    {{ label.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_shown;
