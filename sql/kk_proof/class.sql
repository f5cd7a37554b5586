-- kk_proof/class.sql: the classes that the release shows, by the labels that were made for it.
--
-- in:      ppdt_shown (label_rank, <label>); ppdt_class (class_id, g<i>)
-- out:     ppdt_witness_class (label_rank, class_id)
--          one row per label and class that shows it
SELECT shown.label_rank, class.class_id
FROM ppdt_shown AS shown
INNER JOIN ppdt_class AS class
    ON {% for label in labels %}shown.{{ label.name | ident }} IS NOT DISTINCT FROM class.{{ label.group | ident }}{% if not loop.last %}
    AND {% endif %}{% endfor %};
