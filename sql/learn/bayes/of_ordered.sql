-- learn/bayes/of_ordered.sql: what every interval of an ordered feature says for each class.
--
-- in:      ppdt_reading (lo_<i>, hi_<i>); ppdt_normal (attribute_id, class_id, mean, deviation, precision)
-- out:     ppdt_evidence_<i> (lo, hi, logs)
--          one row per interval that occurs; logs has one number for each class
-- keeps:   logs count 1e-12; the mass of the normal curve above the interval, widened by half a step on
--          either side, by Gauss and Legendre's rule where the curve is not negligible
WITH form AS (
    SELECT {{ feature.lo }} AS lo, {{ feature.hi }} AS hi
    FROM ppdt_reading
    WHERE {{ feature.lo }} IS NOT NULL
    GROUP BY ALL
),

edge AS (
    SELECT
        form.lo,
        form.hi,
        normal.class_id,
        (round_even(form.lo / normal.precision, 0) * normal.precision - normal.mean - normal.precision / 2)
        / normal.deviation AS lower_edge,
        (round_even(form.hi / normal.precision, 0) * normal.precision - normal.mean + normal.precision / 2)
        / normal.deviation AS upper_edge
    FROM form
    CROSS JOIN ppdt_normal AS normal
    WHERE normal.attribute_id = {{ feature.position | literal }}
),

span AS (
    SELECT
        lo,
        hi,
        class_id,
        greatest(lower_edge, least(-8.0, upper_edge - 6.0)) AS left_end,
        least(upper_edge, greatest(8.0, lower_edge + 6.0)) AS right_end
    FROM edge
),

mass AS (
    SELECT
        lo,
        hi,
        class_id,
        (right_end - left_end) / 2 / sqrt(2 * pi()) * (
{% for node, weight in points %}
            {{ weight | literal }} * exp(
                -pow((left_end + right_end) / 2 + (right_end - left_end) / 2 * ({{ node | literal }}), 2) / 2)
            {%- if not loop.last %} +{% endif %}

{% endfor %}
        ) AS mass
    FROM span
)

SELECT lo, hi, list(CAST(round(ln(greatest(mass, 1e-75)) * 1e12) AS BIGINT) ORDER BY class_id ASC) AS logs
FROM mass
GROUP BY lo, hi;
