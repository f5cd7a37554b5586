-- encode/bins/day.sql: days as dates, for edges at equal widths.
--
-- in:      nothing
-- out:     ppdt_day (day)
--          one row per day, in order
-- params:  $days
SELECT CAST(DATE '1970-01-01' + CAST(given.number AS INTEGER) AS VARCHAR) AS day
FROM (SELECT unnest(CAST($days AS BIGINT[])) AS number) AS given
ORDER BY given.number ASC;
