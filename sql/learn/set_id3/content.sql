-- learn/set_id3/content.sql: the members of every distinct set of a column; a single value is a set of one.
--
-- in:      the source; ppdt_code_<i> (code, value)
-- out:     ppdt_content (shown, n_rows, code, n_members)
--          one row per (shown, code)
-- keeps:   a member that a list repeats counts once
WITH seen AS (
    SELECT source.{{ attribute.name | ident }} AS shown, count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
),

exploded AS (
    SELECT DISTINCT
        shown,
        n_rows,
        {%+ if is_list %}unnest(CASE WHEN len(shown) > 0 THEN shown ELSE [NULL] END){% else %}shown{% endif %} AS value
    FROM seen
)

SELECT
    exploded.shown,
    exploded.n_rows,
    dictionary.code,
    count(*) OVER (PARTITION BY exploded.shown) AS n_members
FROM exploded
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
    ON dictionary.value IS NOT DISTINCT FROM exploded.value;
