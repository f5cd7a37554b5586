-- learn/trees/query.sql: the distinct combinations of what a tree tests, of which a prediction is asked.
--
-- in:      ppdt_coded (word_<w>)
-- out:     ppdt_query (unit_id, word_<w>)
--          one row per combination that occurs
SELECT
    row_number() OVER (
        ORDER BY {% for word in words %}{{ word.name | ident }} ASC{{ comma(loop) }}{% endfor %}

    ) AS unit_id,
{% for word in words %}
    {{ word.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_coded
GROUP BY {% for word in words %}{{ word.name | ident }}{{ comma(loop) }}{% endfor %};
