-- tools/plan/sample.sql: some cells of the source, each with all of its rows among those that are looked at.
--
-- in:      the source
-- out:     ppdt_sample (every column of the source)
--          one row per row of a chosen cell
-- params:  $below
-- keeps:   whether a cell is chosen follows from its values alone: rows alike stay together, so the
--          sample has as many rows in a cell as the source
WITH looked_at AS (
    SELECT
{% for column in columns %}
        source.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
    FROM {{ source }} AS source
{% if n_looked_at is not none %}
    LIMIT {{ n_looked_at | literal }}
{% endif %}
)

SELECT
{% for column in columns %}
    looked_at.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM looked_at
WHERE CAST('0x' || left(sha256(
    {%+ with table = "looked_at", columns = quasi %}{% include "lib/fragments/row_text.sql" %}{% endwith %}), 8) AS BIGINT) < $below;
