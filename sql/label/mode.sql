-- label/mode.sql: the most frequent value of a class.
--
-- in:      ppdt_part (class_id, cell_id, n_rows); ppdt_cell (cell_id, q<i>); ppdt_code_<i> (code, value)
-- out:     ppdt_centre_<i> (class_id, centre)
--          one row per class that has a value other than NULL
-- keeps:   equally frequent: the value that comes first
WITH counted AS (
    SELECT
        part.class_id,
        cell.{{ attribute.code | ident }} AS code,
        sum(part.n_rows) AS n_rows
    FROM ppdt_part AS part
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = part.cell_id
    GROUP BY part.class_id, cell.{{ attribute.code | ident }}
),

ranked AS (
    SELECT
        counted.class_id,
        {%+ if attribute.family == "enum" %}CAST(dictionary.value AS VARCHAR){% else %}{% with text = ("dictionary", "value") | ident, is_text = attribute.family == "text" %}{% include "lib/fragments/plain.sql" %}{% endwith %}{% endif %} AS centre,
        row_number() OVER (
            PARTITION BY counted.class_id ORDER BY counted.n_rows DESC, counted.code ASC
        ) AS place
    FROM counted
    INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = counted.code
    WHERE dictionary.value IS NOT NULL
)

SELECT class_id, centre
FROM ranked
WHERE place = 1;
