-- audit/node_share.sql: the share of an attribute that each node of its hierarchy stands for.
--
-- in:      ppdt_node_<i> (words, first_code, last_code); ppdt_code_<i> (code, position)
-- out:     ppdt_node_share (words, share)
--          one row per word; where two nodes bear one, the larger
-- keeps:   a single value has 0; numbers and times by their extent, as ranges; the others by their number
WITH held AS (
    SELECT
        node.words,
        node.first_code,
        node.last_code,
        max(dictionary.position) - min(dictionary.position) AS extent
    FROM {{ node | ident }} AS node
    INNER JOIN {{ dictionary | ident }} AS dictionary
        ON dictionary.code >= node.first_code AND dictionary.code <= node.last_code
    WHERE node.words IS NOT NULL
    GROUP BY node.words, node.first_code, node.last_code
),

whole AS (
    SELECT count(*) AS n_values
    FROM {{ dictionary | ident }}
)

SELECT
    held.words,
    max(CASE
        WHEN held.first_code = held.last_code THEN 0
        {%+ if is_ordered %}WHEN held.extent IS NOT NULL THEN round(held.extent, 12){% endif %}

        ELSE round((held.last_code - held.first_code + 1) / CAST(whole.n_values AS DOUBLE), 12)
    END) AS share
FROM held
CROSS JOIN whole
GROUP BY held.words;
