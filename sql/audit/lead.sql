-- audit/lead.sql: the people's values of one quasi-identifier that fit each class, label by label.
--
-- in:      ppdt_bound (class_id, is_suppressed, g<i>, lo_<r>, hi_<r>);
--          ppdt_person (p<i>, text_<r>, number_<r>)
-- out:     ppdt_lead_<i> (class_id, value)
--          one row per class and value that fits it
-- keeps:   labels are compared with values once, however many classes show them
WITH label AS (
    SELECT DISTINCT {% for name in part.label %}{{ name | ident }}{{ comma(loop) }}{% endfor %}{% if part.by_number %}, {{ part.lo | ident }}, {{ part.hi | ident }}{% endif %}

    FROM ppdt_bound
    WHERE NOT is_suppressed
),

value AS (
    SELECT DISTINCT {{ part.person | ident }}{% if part.by_number %}, {{ part.text | ident }}{% endif %}{% if part.by_number or part.as_type is not none %}, {{ part.number | ident }}{% endif %}

    FROM ppdt_person
),

pair AS (
    SELECT {% for name in part.label %}class.{{ name | ident }}, {% endfor %}person.{{ part.person | ident }} AS value
    FROM label AS class
    INNER JOIN value AS person ON ({% include "lib/fragments/fits.sql" %})
)

SELECT bound.class_id, pair.value
FROM ppdt_bound AS bound
INNER JOIN pair
    ON {% for name in part.label %}bound.{{ name | ident }} IS NOT DISTINCT FROM pair.{{ name | ident }}{% if not loop.last %} AND {% endif %}{% endfor %}

WHERE NOT bound.is_suppressed;
