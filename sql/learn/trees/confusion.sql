-- learn/trees/confusion.sql: how often which class was taken for which.
--
-- in:      ppdt_coded (word_<w>, truth); ppdt_query (unit_id, word_<w>); ppdt_vote (unit_id, prediction)
-- out:     ppdt_confusion (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
SELECT CAST(coded.truth AS VARCHAR) AS truth, vote.prediction, count(*) AS n_rows
FROM ppdt_coded AS coded
INNER JOIN ppdt_query AS asked
    ON {% for word in words %}asked.{{ word.name | ident }} = coded.{{ word.name | ident }}
    {%- if not loop.last %} AND {% endif %}{% endfor %}

INNER JOIN ppdt_vote AS vote ON vote.unit_id = asked.unit_id
GROUP BY ALL
ORDER BY truth ASC NULLS FIRST, prediction ASC;
