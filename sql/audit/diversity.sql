-- audit/diversity.sql: how well the classes hide one sensitive column.
--
-- in:      the release
-- out:     ppdt_diversity (distinct_l, entropy_l)
--          one row
-- keeps:   NULL is a sensitive value like any other; sums of n ln n are taken in exact decimals
-- paper:   Machanavajjhala et al. 2007, definitions 3 and 4
WITH class_value AS (
    SELECT
        {% include "form/group.sql" %},
        release.{{ sensitive.name | ident }}{% if sensitive.is_text %} COLLATE "binary"{% endif %} AS sensitive_value,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

class AS (
    SELECT
        {% for column in quasi %}{{ ("g%d" % loop.index0) | ident }}, {% endfor %}

        count(*) AS n_values,
        sum(n_rows) AS n_rows,
        sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS n_ln_n
    FROM class_value
    GROUP BY ALL
)

SELECT
    min(n_values) AS distinct_l,
    min(round(exp(ln(n_rows) - CAST(n_ln_n AS DOUBLE) / n_rows), 9)) AS entropy_l
FROM class;
