-- encode/drawn.sql: number the rows in a random order, for the methods that divide equal rows.
--
-- in:      ppdt_row (cell_id, <other>)
-- out:     ppdt_drawn (row_id, cell_id, <other>)
--          one row per row of the source
-- params:  $run_key
-- keeps:   the order follows from the run's key and the rows' values, not from where the rows lay;
--          rows alike in every column are interchangeable
WITH keyed AS (
    SELECT
        cell_id,
{% for other in others %}
        {{ other.name | ident }},
{% endfor %}
        sha256(concat_ws('|', CAST(cell_id AS VARCHAR)
{%- if others %},
            {%+ with table = "placed", columns = types %}{% include "lib/fragments/row_text.sql" %}{% endwith %}
{%- endif %}

        )) AS row_key
    FROM ppdt_row AS placed
),

counted AS (
    SELECT
        cell_id,
{% for other in others %}
        {{ other.name | ident }},
{% endfor %}
        row_key,
        row_number() OVER (PARTITION BY row_key ORDER BY cell_id ASC) AS copy
    FROM keyed
),

shuffled AS (
    SELECT
        cell_id,
{% for other in others %}
        {{ other.name | ident }},
{% endfor %}
        sha256(concat_ws('|', $run_key, row_key, CAST(copy AS VARCHAR))) AS draw
    FROM counted
)

SELECT
    row_number() OVER (ORDER BY draw ASC) AS row_id,
    cell_id
{%- for other in others %},
    {{ other.name | ident }}
{%- endfor %}

FROM shuffled;
