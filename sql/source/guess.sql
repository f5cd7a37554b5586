-- source/guess.sql: which types all values of each column of text can have.
--
-- in:      the file, as text
-- out:     ppdt_guess (n_rows, and for each column and type that is asked whether all values have it)
--          one row
-- params:  $n_looked_at
-- keeps:   a part without values strikes nothing; an empty text is no value here; no type takes what it would not give back (leading zeros, signs,
--          blanks, more digits than it holds)
WITH looked_at AS (
    SELECT{% for column in columns %}

        nullif(written.{{ column.name | ident }}, '') AS {{ column.alias | ident }}{{ comma(loop) }}
{%- endfor %}

    FROM {{ source }} AS written
    {%+ if is_part %}LIMIT $n_looked_at{% endif %}

)

SELECT
    count(*) AS n_rows{% for column in columns %}{% for kind in column.kinds %},
    {%+ with text = column.alias | ident %}coalesce(CASE WHEN count({{ text }}) > 0 THEN {% include "lib/fragments/could_be.sql" %} END, {{ is_part | literal }}){% endwith %} AS {{ (column.alias ~ "_" ~ loop.index) | ident }}
{%- endfor %}{% endfor %}

FROM looked_at;
