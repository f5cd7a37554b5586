-- encode/key.sql: the distinct combinations of codes.
--
-- in:      ppdt_coded (word_<w>)
-- out:     ppdt_key (cell_id, word_<w>, n_rows)
--          one row per combination of codes that occurs
SELECT
{% if words | length == 1 %}
    word_0 AS cell_id,
{% else %}
    row_number() OVER (
        ORDER BY {% for word in words %}{{ word.name | ident }} ASC{{ comma(loop) }}{% endfor %}

    ) AS cell_id,
{% endif %}
{% for word in words %}
    {{ word.name | ident }},
{% endfor %}
    count(*) AS n_rows
FROM ppdt_coded
GROUP BY {% for word in words %}{{ word.name | ident }}{{ comma(loop) }}{% endfor %};
