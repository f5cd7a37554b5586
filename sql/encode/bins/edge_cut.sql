-- encode/bins/edge_cut.sql: the cuts of a column at given edges, and what lies below each.
--
-- in:      ppdt_bin_value_<i> (code, value, n_counted)
-- out:     ppdt_edge_cut (low, counted_left, counted_all)
--          one row per edge, as text in the type that bins are compared in
-- params:  $lows
-- keeps:   a value at an edge lies above it; text that is no value of the type has NULL as its edge
WITH edge AS (
    SELECT DISTINCT TRY_CAST(given.low AS {{ type_name }}) AS low
    FROM (SELECT unnest(CAST($lows AS VARCHAR[])) AS low) AS given
)

SELECT
    {%+ with text = ("edge", "low") | ident, type_name = type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS low,
    CAST(coalesce(sum(held.n_counted) FILTER (WHERE held.value < edge.low), 0) AS BIGINT) AS counted_left,
    CAST(coalesce(sum(held.n_counted), 0) AS BIGINT) AS counted_all
FROM edge
LEFT JOIN {{ attribute.bin_value_relation }} AS held ON TRUE
GROUP BY edge.low
ORDER BY edge.low ASC NULLS FIRST;
