-- label/midpoint.sql: the middle of a class's range.
--
-- in:      ppdt_extent (class_id, lo_<o>, hi_<o>); ppdt_code_<i> (code, value, n_steps)
-- out:     ppdt_centre_<i> (class_id, centre)
--          one row per class that has finite values
-- keeps:   never outside of the range: no sum overflows (numbers of 2^95 steps and more go in two parts: 18 digits, and
--          those before them); of these, of days and of moments the lower of two middles, half a step otherwise;
--          never -0.0; NULL, NaN and infinities have no say
{% set is_many = attribute.is_scaled and attribute.family != "float" %}
{% set digits = attribute.decimals if is_many else attribute.decimals + 1 if attribute.is_long else 0 %}
WITH place AS (
    SELECT
        code,
{% if is_many %}
        CAST({% include "lib/fragments/whole_step.sql" %} // 1000000000000000000 AS HUGEINT) AS large,
        CAST({% include "lib/fragments/whole_step.sql" %} % 1000000000000000000 AS HUGEINT) AS step
{% else %}
        {%+ if attribute.family == "float" %}CAST(value AS DOUBLE){% elif attribute.type_name == "TIMESTAMP_NS" %}CAST(epoch_ns(value) AS HUGEINT){% else %}n_steps{% endif %} AS step
{% endif %}
    FROM {{ attribute.dictionary | ident }}
    WHERE n_steps IS NOT NULL
),

middle AS (
    SELECT
        extent.class_id,
{% if attribute.family == "float" %}
        CASE
            WHEN greatest(abs(low.step), abs(high.step)) > 8e307 THEN low.step / 2 + high.step / 2
            ELSE (low.step + high.step) / 2
        END AS step
{% elif is_many %}
        CAST(CAST(low.large + high.large AS HUGEINT) // 2 AS {% if attribute.type_name == "UHUGEINT" %}U{% endif %}HUGEINT) * 1000000000000000000
            + CAST(CAST((low.large + high.large) % 2 * 1000000000000000000 + low.step + high.step + 4000000000000000000 AS HUGEINT) // 2
                - 2000000000000000000 AS {% if attribute.type_name == "UHUGEINT" %}U{% endif %}HUGEINT) AS step
{% elif attribute.family in ("integer", "huge", "decimal") %}
        (low.step + high.step){% if digits %} * 5{% endif %} AS step
{% else %}
        low.step + CAST(high.step - low.step AS HUGEINT) // 2 AS step
{% endif %}
    FROM ppdt_extent AS extent
    INNER JOIN place AS low ON low.code = extent.{{ attribute.lo }}
    INNER JOIN place AS high ON high.code = extent.{{ attribute.hi }}
)

SELECT
    class_id,
{% if attribute.family == "date" %}
    DATE '1970-01-01' + CAST(step AS INTEGER) AS centre
{% elif attribute.family == "timestamp" %}
    make_timestamp{% if attribute.type_name == "TIMESTAMP_NS" %}_ns{% endif %}(CAST(step AS BIGINT)) AS centre
{% elif attribute.family == "timestamptz" %}
    CAST(concat(CAST(make_timestamp(CAST(step AS BIGINT)) AS VARCHAR), '+00') AS TIMESTAMP WITH TIME ZONE) AS centre
{% elif attribute.family == "time" %}
    CASE WHEN step = 86400000000 THEN TIME '24:00:00' ELSE CAST(make_timestamp(CAST(step AS BIGINT)) AS TIME) END AS centre
{% elif attribute.family == "float" %}
    coalesce(nullif(step, 0), 0) AS centre
{% elif digits %}
    CAST({% include "lib/fragments/pointed.sql" %} AS {% if is_many %}{{ attribute.held_type }}{% else %}DECIMAL(38, {{ digits | literal }}){% endif %}) AS centre
{% elif is_many %}
    CAST(step AS {{ attribute.held_type }}) AS centre
{% else %}
    CAST(step AS DOUBLE) / {{ (2 * attribute.unit_size) | literal }} AS centre
{% endif %}
FROM middle;
