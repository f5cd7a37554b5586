-- learn/predict/combination.sql: the distinct rows of a reading, with their number, in one order.
--
-- in:      ppdt_reading (lo_<i>, hi_<i>, set_<i>, answer)
-- out:     ppdt_combination (answer, n_rows, of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>)
--          one row per combination that occurs
SELECT
    {{ answer | ident }},
    count(*) AS n_rows,
    {%+ include "lib/fragments/features.sql" %}

FROM ppdt_reading
GROUP BY ALL
ORDER BY ALL ASC NULLS FIRST;
