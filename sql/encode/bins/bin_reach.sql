-- encode/bins/bin_reach.sql: how far the values of a column reach, so that edges at equal widths cover them.
--
-- in:      ppdt_bin_value_<i> (value)
-- out:     ppdt_bin_reach (least, most)
--          one row; numbers as text, dates and moments as days since 1970; NULL where there is no value
WITH reach AS (
    SELECT min(value) AS least, max(value) AS most
    FROM {{ attribute.bin_value_relation }}
)

SELECT
{% if attribute.family in ("date", "timestamp", "timestamptz") %}
    CAST(floor(epoch_us(CAST(least AS TIMESTAMP)) / 86400000000) AS VARCHAR) AS least,
    CAST(ceil(epoch_us(CAST(most AS TIMESTAMP)) / 86400000000) AS VARCHAR) AS most
{% else %}
    CAST(least AS VARCHAR) AS least,
    CAST(most AS VARCHAR) AS most
{% endif %}
FROM reach;
