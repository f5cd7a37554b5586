-- learn/set_id3/conversion.sql: how a set of each column is converted to one of its members: by chance, with these
-- weights.
--
-- in:      ppdt_content (shown, n_rows, code, n_members); ppdt_original_value (shown, n_rows);
--          ppdt_frequent (code, place);
--          ppdt_code_<i> (code, value)
-- out:     ppdt_conversion (shown, code, weight)
--          one row per member of a distinct set
-- keeps:   random: all alike; most_frequent: all on the member that is heaviest in the whole table, of
--          equals the first; original_distribution: by the counts given, all alike where none is
-- paper:   Shao, Beckford, section IV B
{% if conversion == "most_frequent" %}
SELECT
    content.shown,
    content.code,
    CAST(frequent.place = min(frequent.place) OVER (PARTITION BY content.shown) AS BIGINT) AS weight
FROM ppdt_content AS content
INNER JOIN ppdt_frequent AS frequent ON frequent.code = content.code;
{% elif conversion == "original_distribution" %}
WITH known AS (
    SELECT content.shown, content.code, coalesce(given.n_rows, 0) AS n_rows
    FROM ppdt_content AS content
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = content.code
    LEFT JOIN ppdt_original_value AS given
        ON given.shown IS NOT DISTINCT FROM CAST(dictionary.value AS VARCHAR)
)

SELECT
    shown,
    code,
    CASE WHEN sum(n_rows) OVER (PARTITION BY shown) = 0 THEN 1 ELSE n_rows END AS weight
FROM known;
{% else %}
SELECT shown, code, CAST(1 AS BIGINT) AS weight
FROM ppdt_content;
{% endif %}
