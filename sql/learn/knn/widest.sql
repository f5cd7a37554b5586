-- learn/knn/widest.sql: how many members the largest set of a nominal feature has.
--
-- in:      ppdt_form_<i> (n_members)
-- out:     ppdt_widest (n_members)
--          one row
SELECT max(n_members) AS n_members
FROM {{ feature.form_relation }};
