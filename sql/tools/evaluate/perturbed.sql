-- tools/evaluate/perturbed.sql: the released rows of those that one fold learns from, or tests on.
--
-- in:      a release with the rows' numbers; ppdt_shuffled (ppdt_number, ppdt_fold_<r>)
-- out:     ppdt_perturbed (the columns that are asked for)
--          one row per released row of the part
-- params:  $fold, $is_test
SELECT
{% for column in columns %}
    released.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS released
INNER JOIN ppdt_shuffled AS dealt ON dealt.ppdt_number = released.{{ number | ident }}
WHERE (dealt.{{ ("ppdt_fold_%d" % repeat) | ident }} = $fold) = $is_test;
