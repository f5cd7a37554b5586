-- bayes/told.sql: how often which class is taken for which.
--
-- in:      ppdt_reading (truth, lo_<i>, hi_<i>, set_<i>); ppdt_evidence_<i> (lo, hi, members, logs)
-- out:     ppdt_told (truth, prediction, n_rows)
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

            + coalesce({{ ("evidence_%d" % feature.position) | ident }}.logs[{{ prior.place | literal }}], 0)
{%- endfor %}
{%- if not loop.last %},{% endif %}

{% endfor %}
        ] AS scores
    FROM ppdt_reading AS reading
{% for feature in features %}
{% set evidence = "evidence_%d" % feature.position %}
    LEFT JOIN {{ ("ppdt_" ~ evidence) | ident }} AS {{ evidence | ident }}
{% if feature.kind == "ordered" %}
        ON {{ evidence | ident }}.lo = reading.{{ ("lo_%d" % feature.position) | ident }}
        AND {{ evidence | ident }}.hi = reading.{{ ("hi_%d" % feature.position) | ident }}
{% else %}
        ON {{ evidence | ident }}.members = reading.{{ ("set_%d" % feature.position) | ident }}
{% endif %}
{% endfor %}
)

SELECT truth, $labels[list_position(scores, list_max(scores))] AS prediction, count(*) AS n_rows
FROM score
GROUP BY ALL;
