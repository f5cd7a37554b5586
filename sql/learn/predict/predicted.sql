-- held/predicted.sql: a relation with a model's prediction beside every row.
--
-- in:      ppdt_carried (column_<i>, lo_<i>, hi_<i>, set_<i>); ppdt_reading (truth, lo_<i>, hi_<i>, set_<i>);
--          ppdt_told (truth, prediction)
-- out:     ppdt_predicted (every column of the source, prediction)
--          one row per row of the source
SELECT
{% for column in columns %}
    carried.{{ ("column_%d" % loop.index0) | ident }} AS {{ column | ident }},
{% endfor %}
    told.prediction AS {{ prediction | ident }}
FROM ppdt_carried AS carried
INNER JOIN ppdt_reading AS reading
    ON {% for feature in features %}
{% if not loop.first %}
    AND {% endif %}
{% if feature.kind == "ordered" %}
carried.{{ ("lo_%d" % feature.position) | ident }} IS NOT DISTINCT FROM reading.{{ ("lo_%d" % feature.position) | ident }}
    AND carried.{{ ("hi_%d" % feature.position) | ident }} IS NOT DISTINCT FROM reading.{{ ("hi_%d" % feature.position) | ident }}
{% else %}
carried.{{ ("set_%d" % feature.position) | ident }} IS NOT DISTINCT FROM reading.{{ ("set_%d" % feature.position) | ident }}
{% endif %}
{% endfor %}
INNER JOIN ppdt_told AS told ON told.truth = reading.truth;
