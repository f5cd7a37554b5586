-- tools/evaluate/part.sql: the rows to learn from, or to test on, in one fold.
--
-- in:      ppdt_shuffled (every column of the source, ppdt_number, ppdt_fold_<r>)
-- out:     ppdt_part (every column of the source, and the row's number where it is asked for)
--          one row per row of the part
-- params:  $fold, $is_test
SELECT
{% if number %}
    ppdt_number AS {{ number | ident }},
{% endif %}
{% for column in columns %}
    {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_shuffled
WHERE ({{ ("ppdt_fold_%d" % repeat) | ident }} = $fold) = $is_test;
