-- tools/bench/sampled.sql: so many rows of a table, drawn under a key.
--
-- in:      the source
-- out:     ppdt_sampled (the columns of the source)
--          one row per row that was drawn
-- params:  $run_key, $n_rows
-- keeps:   who is drawn follows from the key and the rows' values alone, not from their order
WITH keyed AS (
    SELECT
{% for column in columns %}
        source.{{ column | ident }},
{% endfor %}
        sha256(concat_ws('|', $run_key
{%- for column in columns %},
            coalesce(concat(
                length(CAST(source.{{ column | ident }} AS VARCHAR)), ':',
                CAST(source.{{ column | ident }} AS VARCHAR)
            ), '-')
{%- endfor %}

        )) AS ppdt_row_key
    FROM {{ source }} AS source
)

SELECT
{% for column in columns %}
    {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM keyed
QUALIFY row_number() OVER (ORDER BY ppdt_row_key ASC) <= $n_rows;
