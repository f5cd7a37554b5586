-- learn/knn/combination.sql: the distinct rows of a reading, with their number.
--
-- in:      ppdt_reading (lo_<i>, hi_<i>, set_<i>, answer)
-- out:     ppdt_known_<i> (answer, n_rows, of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>)
--          one row per combination that occurs
-- params:  $first_class
SELECT
    {{ answer | ident }},
    count(*) AS n_rows,
    {%+ include "lib/fragments/features.sql" %}

FROM ppdt_reading
{% if answer == "target" %}
WHERE target >= $first_class
{% endif %}
GROUP BY ALL;
