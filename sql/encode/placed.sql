-- encode/placed.sql: every row with the cell that it lies in.
--
-- in:      ppdt_coded (word_<w>, <other>); ppdt_key (cell_id, word_<w>)
-- out:     ppdt_row (cell_id, <other>)
--          one row per row of the source
SELECT
    {%+ if words | length == 1 %}coded.word_0 AS cell_id{% else %}key.cell_id{% endif %}
{% for other in others %},
    coded.{{ other.name | ident }}
{%- endfor %}

FROM ppdt_coded AS coded
{% if words | length > 1 %}
INNER JOIN ppdt_key AS key
    ON {% for word in words %}key.{{ word.name | ident }} = coded.{{ word.name | ident }}
    {%- if not loop.last %} AND {% endif %}{% endfor %}
{% endif %};
