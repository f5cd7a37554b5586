-- learn/predict/predicted.sql: a relation with a model's prediction beside every row.
--
-- in:      ppdt_carried (column_<i>, lo_<i>, hi_<i>, set_<i>); ppdt_reading (truth, lo_<i>, hi_<i>, set_<i>);
--          ppdt_prediction (truth, prediction)
-- out:     ppdt_predicted (every column of the source, prediction)
--          one row per row of the source
SELECT
{% for column in columns %}
    carried.{{ nth("column", loop) }} AS {{ column | ident }},
{% endfor %}
    told.prediction AS {{ prediction | ident }}
FROM ppdt_carried AS carried
INNER JOIN ppdt_reading AS reading
    ON {% for feature in features %}
{% if not loop.first %}
    AND {% endif %}
{% if feature.kind == "ordered" %}
carried.{{ feature.lo }} IS NOT DISTINCT FROM reading.{{ feature.lo }}
    AND carried.{{ feature.hi }} IS NOT DISTINCT FROM reading.{{ feature.hi }}
{% else %}
carried.{{ feature.set }} IS NOT DISTINCT FROM reading.{{ feature.set }}
{% endif %}
{% endfor %}
INNER JOIN ppdt_prediction AS told ON told.truth = reading.truth;
