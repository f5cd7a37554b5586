-- audit/fit.sql: which people could be behind which class.
--
-- in:      ppdt_bound (class_id, n_rows, is_suppressed, g<i>, lo_<r>, hi_<r>);
--          ppdt_person (person_id, n_rows, p<i>, text_<r>, number_<r>); ppdt_met (class_id, person_id)
-- out:     ppdt_fit (class_id, person_id, n_class, n_people)
--          one row per (class_id, person_id) where every value fits what the class shows
-- keeps:   a class that shows nothing at all fits everybody; one NULL among values fits only NULL; where
--          quasi-identifiers lead, only pairs that have met are looked at
-- paper:   Gionis, Mazza, Tassa 2008, definition 3.2 (consistency)
SELECT
    class.class_id,
    person.person_id,
    class.n_rows AS n_class,
    person.n_rows AS n_people
FROM ppdt_bound AS class
{% if leads %}
INNER JOIN ppdt_met AS met ON met.class_id = class.class_id
INNER JOIN ppdt_person AS person ON person.person_id = met.person_id
{% else %}
CROSS JOIN ppdt_person AS person
{% endif %}
WHERE NOT class.is_suppressed
{% for part in parts if part not in leads %}
    AND ({% include "lib/fragments/fits.sql" %})
{% endfor %}
UNION ALL
SELECT class.class_id, person.person_id, class.n_rows, person.n_rows
FROM ppdt_bound AS class
CROSS JOIN ppdt_person AS person
WHERE class.is_suppressed;
