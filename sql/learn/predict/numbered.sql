-- learn/predict/numbered.sql: the distinct rows of a reading, each under a number in place of the truth.
--
-- in:      ppdt_carried (lo_<i>, hi_<i>, set_<i>)
-- out:     ppdt_reading (truth, of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>)
--          one row per combination that occurs
WITH combination AS (
    SELECT DISTINCT
        {%+ include "lib/fragments/features.sql" %}

    FROM ppdt_carried
)

SELECT
    CAST(row_number() OVER (ORDER BY {% for feature in features %}{% if feature.kind == "ordered" %}{{ feature.lo }} ASC, {{ feature.hi }} ASC{% else %}{{ feature.set }} ASC{% endif %}{{ comma(loop) }}{% endfor %}) AS VARCHAR) AS truth,
    {%+ include "lib/fragments/features.sql" %}

FROM combination;
