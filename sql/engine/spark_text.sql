-- engine/spark_text.sql: a value's text as DuckDB writes it, in Spark's dialect.
--
-- in:      given (x)
-- keeps:   floats from 0.0001 up to 10^16 without an exponent, others as 1.5e-07; nan and inf in small letters
SELECT CASE
    WHEN typeof(x) NOT IN ('double', 'float') THEN CAST(x AS STRING)
    WHEN CAST(x AS STRING) = 'NaN' THEN 'nan'
    WHEN CAST(x AS STRING) = 'Infinity' THEN 'inf'
    WHEN CAST(x AS STRING) = '-Infinity' THEN '-inf'
    WHEN CAST(x AS STRING) NOT LIKE '%E%' THEN CAST(x AS STRING)
    ELSE concat(
        regexp_extract(CAST(x AS STRING), '^-?', 0),
        CASE
            WHEN CAST(x AS STRING) LIKE '%E-4' THEN concat(
                '0.000',
                regexp_extract(CAST(x AS STRING), '([0-9])[.]', 1),
                regexp_extract(CAST(x AS STRING), '[.](0(?=E))?([0-9]*)E', 2)
            )
            WHEN try_cast(regexp_extract(CAST(x AS STRING), 'E([0-9]+)$', 1) AS INT) BETWEEN 7 AND 15 THEN concat(
                substring(rpad(
                    regexp_replace(regexp_extract(CAST(x AS STRING), '[0-9]+[.][0-9]+', 0), '[.]', ''), 40, '0'
                ), 1, try_cast(regexp_extract(CAST(x AS STRING), 'E([0-9]+)$', 1) AS INT) + 1),
                '.',
                coalesce(nullif(regexp_replace(substring(
                    regexp_replace(regexp_extract(CAST(x AS STRING), '[0-9]+[.][0-9]+', 0), '[.]', ''),
                    try_cast(regexp_extract(CAST(x AS STRING), 'E([0-9]+)$', 1) AS INT) + 2
                ), '0+$', ''), ''), '0')
            )
            ELSE concat(
                regexp_replace(regexp_extract(CAST(x AS STRING), '[0-9]+[.][0-9]+', 0), '[.]0$', ''),
                'e',
                CASE WHEN CAST(x AS STRING) LIKE '%E-%' THEN '-' ELSE '+' END,
                regexp_replace(regexp_extract(CAST(x AS STRING), 'E-?([0-9]+)$', 1), '^([0-9])$', '0$1')
            )
        END
    )
END AS text
FROM given
