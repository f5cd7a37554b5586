-- label/mean.sql: the mean of a class's values, from exact sums.
--
-- in:      ppdt_part (class_id, cell_id, n_rows); ppdt_cell (cell_id, q<i>); ppdt_code_<i> (code, value, n_steps)
-- out:     ppdt_centre_<i> (class_id, centre)
--          one row per class that has finite values
-- keeps:   rounded to one digit beyond the attribute's step, and where a DOUBLE has too few digits a DECIMAL; never -0.0;
--          NULL, NaN and infinities have no say; exact numbers go digit by digit, halves away from zero
WITH moment AS (
    SELECT
        part.class_id,
        sum(dictionary.n_steps * part.n_rows) AS total,
        sum(part.n_rows) AS n_values
    FROM ppdt_part AS part
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
        ON dictionary.code = cell.{{ attribute.code | ident }}
    WHERE dictionary.n_steps IS NOT NULL
    GROUP BY part.class_id
){% if attribute.is_scaled %},

scale AS (
    {%+ with table = attribute.dictionary %}{% include "lib/fragments/scale.sql" %}{% endwith %}

){% endif %}


SELECT
    class_id,
{% if attribute.family == "date" %}
    DATE '1970-01-01' + CAST(round(CAST(total AS DOUBLE) / n_values) AS INTEGER) AS centre
{% elif attribute.family == "timestamp" %}
    make_timestamp(CAST(round(CAST(total AS DOUBLE) / n_values) AS BIGINT)) AS centre
{% elif attribute.family == "timestamptz" %}
    to_timestamp(round(CAST(total AS DOUBLE) / n_values) / 1000000) AS centre
{% elif attribute.family == "time" %}
    CAST(make_timestamp(CAST(round(CAST(total AS DOUBLE) / n_values) AS BIGINT)) AS TIME) AS centre
{% elif attribute.is_long %}
{% if attribute.is_scaled %}
{#- From the nearer end, in two halves: the whole reach of a type does not fit into the type. #}
    CASE
        WHEN CAST(total AS DOUBLE) / n_values <= 576460752303423488
            THEN scale.least
                + CAST(round(CAST(total AS DOUBLE) / n_values / 2305843009213693952 * scale.magnitude) AS {{ attribute.held_type }})
                + CAST(round(CAST(total AS DOUBLE) / n_values / 2305843009213693952 * scale.magnitude) AS {{ attribute.held_type }})
        ELSE scale.greatest
            - CAST(round((0.5 - CAST(total AS DOUBLE) / n_values / 2305843009213693952) * scale.magnitude) AS {{ attribute.held_type }})
            - CAST(round((0.5 - CAST(total AS DOUBLE) / n_values / 2305843009213693952) * scale.magnitude) AS {{ attribute.held_type }})
    END AS centre
{% else %}
{% set digits = attribute.mean_digits %}
    CAST(CASE WHEN total < 0 THEN '-' ELSE '' END || CAST(
        (CAST(abs(total) AS HUGEINT) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) // {{ (10 ** digits) | literal }} AS VARCHAR)
        || '.' || lpad(CAST(
            (CAST(abs(total) AS HUGEINT) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) % {{ (10 ** digits) | literal }} AS VARCHAR),
            {{ digits | literal }}, '0') AS DECIMAL(38, {{ digits | literal }})) AS centre
{% endif %}
{% elif attribute.is_scaled %}
    coalesce(nullif(round({% if attribute.family != "float" %}CAST(scale.least AS DOUBLE) + {% endif %}CAST(total AS DOUBLE) / n_values / 1152921504606846976 * scale.magnitude, {{ attribute.mean_digits | literal }}), 0), 0) AS centre
{% else %}
    coalesce(nullif(round(CAST(total AS DOUBLE) / n_values / {{ attribute.unit_size | literal }}, {{ attribute.mean_digits | literal }}), 0), 0) AS centre
{% endif %}
FROM moment
{% if attribute.is_scaled %}
CROSS JOIN scale
{% endif %};
