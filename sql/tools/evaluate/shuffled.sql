-- tools/evaluate/shuffled.sql: deal the rows of a table to folds, once for every repetition.
--
-- in:      the source
-- out:     ppdt_shuffled (every column of the source, ppdt_number, ppdt_fold_<r>)
--          one row per row of the source that has a class
-- params:  $run_key
-- keeps:   the deal follows from the key and the rows' values alone, not from their order
WITH keyed AS (
    SELECT
{% for column in columns %}
        source.{{ column | ident }},
{% endfor %}
        sha256(concat_ws('|'
{%- for column, type_name in columns.items() %},
            {%+ with text = ("source", column) | ident %}{% include "lib/fragments/canonical.sql" %}{% endwith %}
{%- endfor %}

        )) AS ppdt_row_key
    FROM {{ source }} AS source
    WHERE source.{{ target | ident }} IS NOT NULL
),

counted AS (
    SELECT
{% for column in columns %}
        {{ column | ident }},
{% endfor %}
        ppdt_row_key,
        row_number() OVER (
            PARTITION BY ppdt_row_key ORDER BY {{ target | ident }} ASC
        ) AS ppdt_copy
    FROM keyed
)

SELECT
{% for column in columns %}
    {{ column | ident }},
{% endfor %}
    row_number() OVER (ORDER BY ppdt_row_key ASC, ppdt_copy ASC) AS ppdt_number,
{% for repeat in repeats %}
    CAST((row_number() OVER (
        ORDER BY {% if stratified %}{{ target | ident }} ASC, {% endif %}sha256(concat_ws(
            '|', $run_key, {{ repeat | literal }}, ppdt_row_key, ppdt_copy)) ASC
    ) - 1) % {{ n_folds | literal }} AS INTEGER) AS {{ ("ppdt_fold_%d" % repeat) | ident }}
    {{- comma(loop) }}
{% endfor %}
FROM counted;
