-- source/lead.sql: the first row in which each text cannot be taken for a number, a date or a truth value.
--
-- in:      ppdt_sorted (label_rank, <other>); ppdt_shown (label_rank, <label>)
-- out:     ppdt_lead (row_number)
--          one row per such row
-- keeps:   who reads the file as a guess from its first rows, such as read_csv alone, guesses text where
--          text follows; which rows lead depends on the released values alone
WITH written AS (
    SELECT
        sorted.rowid AS row_number{% for column in texts %},
        CAST({{ column.table | ident }}.{{ column.inside | ident }} AS VARCHAR) AS {{ column.alias | ident }}
{%- endfor %}{% for column in wide %},
        {{ column.table | ident }}.{{ column.inside | ident }} AS {{ column.alias | ident }}
{%- endfor %}

    FROM ppdt_sorted AS sorted
    INNER JOIN ppdt_shown AS shown ON shown.label_rank = sorted.label_rank
),

foremost AS (
    SELECT [
        0{% for column in texts %},
        coalesce(
            min(row_number) FILTER (WHERE regexp_matches({{ column.alias | ident }}, '[^-0-9 :.,/+TZAPMtzapm]') AND TRY_CAST({{ column.alias | ident }} AS DOUBLE) IS NULL AND TRY_CAST({{ column.alias | ident }} AS BOOLEAN) IS NULL AND TRY_CAST({{ column.alias | ident }} AS DATE) IS NULL),
            min(row_number) FILTER (WHERE TRY_CAST({{ column.alias | ident }} AS DOUBLE) IS NULL AND TRY_CAST({{ column.alias | ident }} AS BOOLEAN) IS NULL)
        ){% endfor %}{% for column in wide %},
        arg_min(row_number, {{ column.alias | ident }}),
        arg_max(row_number, {{ column.alias | ident }}){% endfor %}

    ] AS row_numbers
    FROM written
)

SELECT DISTINCT unnest(row_numbers) AS row_number
FROM foremost;
