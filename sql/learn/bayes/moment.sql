-- learn/bayes/moment.sql: of every ordered feature and class the sums that its mean and spread are made of.
--
-- in:      ppdt_reading (target, lo_<i>, hi_<i>)
-- out:     ppdt_moment (attribute_id, class_id, precision, base, n_rows, places, squares, widths)
--          one row per (attribute_id, class_id) that occurs; places count steps from `base` on
-- params:  $first_class
-- keeps:   a step is the mean gap between neighbouring middles, and a billionth of the widest range at
--          least; the sums are whole numbers
WITH form AS (
{% for feature in features %}
    SELECT
        {{ feature.position | literal }} AS attribute_id,
        target - $first_class AS class_id,
        ({{ feature.lo }} + {{ feature.hi }}) / 2 AS middle,
        {{ feature.hi }} - {{ feature.lo }} AS width,
        count(*) AS n_rows
    FROM ppdt_reading
    WHERE target >= $first_class AND {{ feature.lo }} IS NOT NULL
    GROUP BY ALL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

middle AS (
    SELECT attribute_id, middle, max(width) AS width
    FROM form
    GROUP BY attribute_id, middle
),

scale AS (
    SELECT
        attribute_id,
        greatest(coalesce(nullif((max(middle) - min(middle)) / nullif(count(*) - 1, 0), 0), 0.01),
            max(width) / 1000000000) AS precision,
        min(middle) AS lowest
    FROM middle
    GROUP BY attribute_id
),

placed AS (
    SELECT
        form.attribute_id, form.class_id, scale.precision,
        round_even(scale.lowest / scale.precision, 0) AS base,
        form.n_rows,
        CAST(round_even(form.middle / scale.precision, 0)
            - round_even(scale.lowest / scale.precision, 0) AS HUGEINT) AS place,
        CAST(round_even(form.width / scale.precision, 0) AS HUGEINT) AS width
    FROM form
    INNER JOIN scale ON scale.attribute_id = form.attribute_id
)

SELECT
    attribute_id, CAST(class_id AS INTEGER) AS class_id, precision, base,
    CAST(sum(n_rows) AS HUGEINT) AS n_rows,
    sum(n_rows * place) AS places,
    sum(n_rows * place * place) AS squares,
    sum(n_rows * width * width) AS widths
FROM placed
GROUP BY attribute_id, class_id, precision, base
ORDER BY attribute_id ASC, class_id ASC;
