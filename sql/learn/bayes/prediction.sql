-- learn/bayes/prediction.sql: how often which class is taken for which.
--
-- in:      ppdt_reading (truth, lo_<i>, hi_<i>, set_<i>); ppdt_evidence_<i> (lo, hi, members, logs)
-- out:     ppdt_prediction (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
-- params:  $labels
-- keeps:   the class with the largest sum; of equals the first
WITH score AS (
    SELECT
        reading.truth,
        [
{% for prior in priors %}
            {{ prior.log | literal }}
{%- for feature in features %}

            + coalesce({{ feature.evidence }}.logs[{{ prior.place | literal }}], 0)
{%- endfor %}
{{- comma(loop) }}
{% endfor %}
        ] AS scores
    FROM ppdt_reading AS reading
{% for feature in features %}
    LEFT JOIN {{ feature.evidence_relation }} AS {{ feature.evidence }}
{% if feature.kind == "ordered" %}
        ON {{ feature.evidence }}.lo = reading.{{ feature.lo }}
        AND {{ feature.evidence }}.hi = reading.{{ feature.hi }}
{% else %}
        ON {{ feature.evidence }}.members = reading.{{ feature.set }}
{% endif %}
{% endfor %}
)

SELECT truth, $labels[list_position(scores, list_max(scores))] AS prediction, count(*) AS n_rows
FROM score
GROUP BY ALL;
