-- audit/met.sql: the classes and people who agree in the quasi-identifiers that lead.
--
-- in:      ppdt_lead_<i> (class_id, value); ppdt_person (person_id, p<i>)
-- out:     ppdt_met (class_id, person_id)
--          one row per pair that agrees
WITH wanted AS (
    SELECT {{ ("lead_%d" % leads[0].place) | ident }}.class_id{% for part in leads %}, {{ ("lead_%d" % part.place) | ident }}.value AS {{ part.person | ident }}{% endfor %}

    FROM {{ leads[0].lead | ident }} AS {{ ("lead_%d" % leads[0].place) | ident }}{% for part in leads[1:] %}

    INNER JOIN {{ part.lead | ident }} AS {{ ("lead_%d" % part.place) | ident }}
        ON {{ ("lead_%d" % part.place) | ident }}.class_id = {{ ("lead_%d" % leads[0].place) | ident }}.class_id{% endfor %}

)

SELECT wanted.class_id, person.person_id
FROM wanted
INNER JOIN ppdt_person AS person
    ON {% for part in leads %}person.{{ part.person | ident }} IS NOT DISTINCT FROM wanted.{{ part.person | ident }}{% if not loop.last %} AND {% endif %}{% endfor %};
