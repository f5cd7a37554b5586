-- held/numbered.sql: the distinct rows of a reading, each under a number in place of the truth.
--
-- in:      ppdt_carried (lo_<i>, hi_<i>, set_<i>)
-- out:     ppdt_reading (truth, of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>)
--          one row per combination that occurs
WITH combination AS (
    SELECT DISTINCT
        {%+ include "form/features.sql" %}

    FROM ppdt_carried
)

SELECT
    CAST(row_number() OVER (ORDER BY {% for feature in features %}{% if feature.kind == "ordered" %}{{ ("lo_%d" % feature.position) | ident }} ASC, {{ ("hi_%d" % feature.position) | ident }} ASC{% else %}{{ ("set_%d" % feature.position) | ident }} ASC{% endif %}{% if not loop.last %}, {% endif %}{% endfor %}) AS VARCHAR) AS truth,
    {%+ include "form/features.sql" %}

FROM combination;
