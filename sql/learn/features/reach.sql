-- learn/features/reach.sql: between what an ordered feature's forms lie, and whether DOUBLEs hold them all.
--
-- in:      ppdt_read_<i> (lo, hi)
-- out:     ppdt_reading_reach (least, most, is_held)
--          one row; the ends as text, NULL where nothing is known
-- keeps:   of numbers it is not asked whether they are held: those between them may not be
SELECT
    CAST(min(lo) AS VARCHAR) AS least,
    CAST(max(hi) AS VARCHAR) AS most,
{% if feature.axis.kind == "number" %}
    FALSE AS is_held
{% else %}
    coalesce(bool_and(TRY_CAST(CAST(lo AS DOUBLE) AS BIGINT) = lo AND TRY_CAST(CAST(hi AS DOUBLE) AS BIGINT) = hi), TRUE)
        AS is_held
{% endif %}
FROM {{ feature.table | ident }};
