-- label/bins.sql: every set of bins that a class covers, as one range from the lowest bin to the highest.
--
-- in:      ppdt_extent (codes_<c>); ppdt_code_<i> (code, value)
-- out:     ppdt_set_<i> (codes, members)
--          one row per set that occurs
-- keeps:   a range reads `[lo, hi]`, and names what lies in no bin, `or NULL`; NULL where there is nothing else
WITH occurring AS (
    SELECT DISTINCT {{ attribute.codes }} AS codes
    FROM ppdt_extent
),

held AS (
    SELECT
        occurring.codes,
        dictionary.code,
        dictionary.value,
        starts_with(dictionary.value, '[') AS is_bin
    FROM occurring
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
        ON {% if attribute.set_form == "list" %}list_contains(occurring.codes, dictionary.code){% else %}(occurring.codes >> dictionary.code) & 1 = 1{% endif %}

),

covered AS (
    SELECT
        codes,
        min_by(regexp_extract(value, '^\[(.+), (.+)\]$', 1), code) FILTER (WHERE is_bin) AS lo,
        max_by(regexp_extract(value, '^\[(.+), (.+)\]$', 2), code) FILTER (WHERE is_bin) AS hi,
        string_agg(coalesce(value, 'NULL'), ' or ' ORDER BY code ASC) FILTER (WHERE is_bin IS NOT TRUE) AS words
    FROM held
    GROUP BY codes
)

SELECT
    codes,
    nullif(concat_ws(' or ', '[' || lo || ', ' || hi || ']', words), 'NULL') AS members
FROM covered;
