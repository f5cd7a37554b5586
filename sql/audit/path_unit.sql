-- audit/path_unit.sql: what the released rows show in the columns that a tree tests.
--
-- in:      the release, or the release with its entities, which only the audit sees
-- out:     ppdt_path_unit (unit_id, n_rows, entity, of tested columns value_<i> and rank_<i>)
--          one row per combination, and per entity of it where rows have one
-- keeps:   NULL is a value; text is told apart by its bytes; equal ranks show the same
WITH unit AS (
    SELECT
        count(*) AS n_rows,
        {% if entity is none %}NULL{% else %}CAST(release.{{ entity | ident }} AS VARCHAR){% endif %} AS entity{% for column in columns %},
        release.{{ column.released.name | ident }}{% if column.released.is_text %} COLLATE "binary"{% endif %} AS {{ column.value | ident }}{% endfor %}

    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    row_number() OVER (ORDER BY entity ASC NULLS FIRST{% for column in columns %}, {{ column.value | ident }} ASC NULLS FIRST{% endfor %}) AS unit_id,
    n_rows,
    entity{% for column in columns %},
    {{ column.value | ident }},
    dense_rank() OVER (ORDER BY {{ column.value | ident }} ASC NULLS FIRST) AS {{ column.rank | ident }}{% endfor %}

FROM unit;
