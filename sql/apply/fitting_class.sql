-- apply/fitting_class.sql: of the classes that hold a combination, the one with most of its leaf's rows.
--
-- in:      ppdt_new_cell (cell_id, leaf_id, q<i>, value_<o>, word_<o>); ppdt_ranked (leaf_id, class_id, rank);
--          ppdt_reach (class_id, low_<o>, high_<o>, words_<o>); ppdt_meets_<i> (class_id, code)
-- out:     ppdt_fitting_class (cell_id, leaf_id, rank)
--          one row per combination that a class holds
SELECT asked.cell_id, asked.leaf_id, min(place.rank) AS rank
FROM ppdt_new_cell AS asked
INNER JOIN ppdt_ranked AS place ON place.leaf_id = asked.leaf_id
{% if not reaches %}
    AND place.rank = 1
{% endif %}
{% for reach in reaches if reach.by_code %}
INNER JOIN {{ reach.meets | ident }} AS {{ reach.meets | ident }}
    ON {{ reach.meets | ident }}.class_id = place.class_id AND {{ reach.meets | ident }}.code = asked.{{ reach.attribute.code | ident }}
{% endfor %}
{% if by_range %}
INNER JOIN ppdt_reach AS class ON class.class_id = place.class_id
{% for reach in reaches if not reach.by_code %}
    AND (coalesce(asked.{{ reach.word | ident }} IS NULL AND asked.{{ reach.value | ident }} BETWEEN class.{{ reach.low | ident }} AND class.{{ reach.high | ident }}, FALSE)
        OR coalesce(list_contains(string_split(class.{{ reach.words | ident }}, ' or '), asked.{{ reach.word | ident }}), FALSE))
{% endfor %}
{% endif %}
GROUP BY asked.cell_id, asked.leaf_id;
