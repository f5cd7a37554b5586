-- kk_proof/fit.sql: the pairs of the hint that agree, as the release and the original have them.
--
-- in:      ppdt_hint (class_id, cell_id); ppdt_rank (class_id, label_rank);
--          ppdt_witness_class (label_rank, class_id); ppdt_witness_person (cell_id, person_id);
--          ppdt_bound (class_id, n_rows, g<i>, lo_<r>, hi_<r>); ppdt_person (person_id, n_rows, p<i>, text_<r>, number_<r>)
-- out:     ppdt_fit (class_id, person_id, n_class, n_people)
--          one row per pair, however often it was named
-- paper:   Gionis, Mazza, Tassa 2008, definition 3.2 (consistency)
WITH pair AS (
    SELECT DISTINCT shown.class_id, held.person_id
    FROM ppdt_hint AS hint
    INNER JOIN ppdt_rank AS rank ON rank.class_id = hint.class_id
    INNER JOIN ppdt_witness_class AS shown ON shown.label_rank = rank.label_rank
    INNER JOIN ppdt_witness_person AS held ON held.cell_id = hint.cell_id
)

SELECT
    class.class_id,
    person.person_id,
    class.n_rows AS n_class,
    person.n_rows AS n_people
FROM pair
INNER JOIN ppdt_bound AS class ON class.class_id = pair.class_id
INNER JOIN ppdt_person AS person ON person.person_id = pair.person_id
WHERE TRUE
{% for part in parts %}
    AND ({% include "lib/fragments/fits.sql" %})
{% endfor %};
