-- encode/bins/high.sql: the upper end of the bin below each lower end: the value before it in its type.
--
-- in:      nothing
-- out:     ppdt_high (low, high)
--          one row per lower end; both are text
-- params:  $lows
-- keeps:   ranges are closed and share no value
WITH given AS (
    SELECT unnest(CAST($lows AS VARCHAR[])) AS low
),

placed AS (
    SELECT low, CAST(low AS {{ type_name }}) AS value
    FROM given
)

SELECT
    low,
{% if attribute.family == "float" %}
    CAST(nextafter(value, CAST('-infinity' AS DOUBLE)) AS VARCHAR) AS high
{% elif attribute.family == "date" %}
    CAST(CAST(value - INTERVAL 1 DAY AS DATE) AS VARCHAR) AS high
{% elif attribute.family == "timestamp" %}
    CAST(value - INTERVAL 1 MICROSECOND AS VARCHAR) AS high
{% elif attribute.family == "timestamptz" %}
    concat(CAST(make_timestamp(epoch_us(value) - 1) AS VARCHAR), '+00') AS high
{% elif attribute.family == "time" %}
    CAST(CAST(make_timestamp(epoch_us(value) - 1) AS TIME) AS VARCHAR) AS high
{% else %}
    CAST(value - {% if attribute.decimals %}CAST({{ ("0." ~ "0" * (attribute.decimals - 1) ~ "1") | literal }} AS {{ type_name }}){% else %}1{% endif %} AS VARCHAR) AS high
{% endif %}
FROM placed;
