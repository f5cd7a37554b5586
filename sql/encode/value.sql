-- encode/value.sql: the distinct values of one attribute, in the one form in which we compare them.
--
-- in:      the source
-- out:     ppdt_value (value, n_rows)
--          one row per value; NULL is a value
-- keeps:   text is told apart by its bytes, whatever the collation; 0.0 and -0.0 are one value
SELECT
    {%+ with table = "source" %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS value,
    count(*) AS n_rows
FROM {{ source }} AS source
GROUP BY ALL;
