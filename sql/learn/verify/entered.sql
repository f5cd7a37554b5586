-- learn/verify/entered.sql: everybody at the root.
--
-- in:      ppdt_known_person (person_id, q<i>)
-- out:     ppdt_at (person_id, node_id, q<i>)
--          one row per person
SELECT
    person_id,
    CAST(0 AS INTEGER) AS node_id{% for attribute in public %},
    {{ attribute.code | ident }}{% endfor %}

FROM ppdt_known_person
GROUP BY person_id{% for attribute in public %}, {{ attribute.code | ident }}{% endfor %};
