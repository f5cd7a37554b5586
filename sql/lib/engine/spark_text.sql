-- lib/engine/spark_text.sql: a float's text as DuckDB writes it, in Spark's dialect.
--
-- in:      given (x)
-- keeps:   as few digits as tell a float from its neighbours (Java wrote more of them before version 19);
--          floats from 0.0001 up to 10^16 without an exponent, others as 1.5e-07; nan and inf in small letters
SELECT CASE
    WHEN typeof(x) NOT IN ('double', 'float') THEN CAST(x AS STRING)
    WHEN CAST(x AS STRING) = 'NaN' THEN 'nan'
    WHEN CAST(x AS STRING) = 'Infinity' THEN 'inf'
    WHEN CAST(x AS STRING) = '-Infinity' THEN '-inf'
    -- So few digits that no other text of as few stands for the same float.
    WHEN
        CAST(x AS STRING) NOT LIKE '%E%'
        AND length(CAST(x AS STRING)) <= CASE WHEN typeof(x) = 'float' THEN 7 ELSE 16 END
        THEN CAST(x AS STRING)
    ELSE get(transform(
        slice(filter(
            transform(
                CASE WHEN typeof(x) = 'float' THEN array(0, 5, 6, 7, 8) ELSE array(0, 14, 15, 16) END,
                n -> regexp_replace(format_string(concat('%.', n, 'e'), CAST(x AS DOUBLE)), '[.]?0+e', 'e')
            ),
            written -> CASE
                WHEN typeof(x) = 'float' THEN try_cast(written AS FLOAT) = x
                ELSE try_cast(written AS DOUBLE) = x
            END
        ), 1, 1),
        written -> concat(
            regexp_extract(written, '^-?', 0),
            CASE
                WHEN try_cast(regexp_extract(written, 'e(.+)$', 1) AS INT) BETWEEN -4 AND -1 THEN concat(
                    '0.',
                    repeat('0', - try_cast(regexp_extract(written, 'e(.+)$', 1) AS INT) - 1),
                    regexp_replace(regexp_extract(written, '[0-9.]+', 0), '[.]', '')
                )
                WHEN try_cast(regexp_extract(written, 'e(.+)$', 1) AS INT) BETWEEN 0 AND 15 THEN concat(
                    substring(
                        rpad(regexp_replace(regexp_extract(written, '[0-9.]+', 0), '[.]', ''), 40, '0'),
                        1, try_cast(regexp_extract(written, 'e(.+)$', 1) AS INT) + 1
                    ),
                    '.',
                    coalesce(nullif(substring(
                        regexp_replace(regexp_extract(written, '[0-9.]+', 0), '[.]', ''),
                        try_cast(regexp_extract(written, 'e(.+)$', 1) AS INT) + 2
                    ), ''), '0')
                )
                ELSE regexp_extract(written, '[0-9].*$', 0)
            END
        )
    ), 0)
END AS text
FROM given
