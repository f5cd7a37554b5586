-- learn/trees/predicted.sql: a relation with the tree's prediction beside every row.
--
-- in:      the source; ppdt_code_<i> (code, value); ppdt_query (unit_id, word_<w>);
--          ppdt_vote (unit_id, prediction)
-- out:     ppdt_predicted (every column of the source, prediction)
--          one row per row of the source
SELECT
{% for column in columns %}
    source.{{ column | ident }},
{% endfor %}
    vote.prediction AS {{ prediction | ident }}
FROM {{ source }} AS source
{% for coded in dictionaries %}
INNER JOIN {{ coded.dictionary | ident }} AS {{ coded.dictionary_alias | ident }}
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM {% with table = "source", attribute = coded %}{% include "lib/fragments/comparable.sql" %}{% endwith %}

{% endfor %}
INNER JOIN ppdt_query AS asked
{% for word in words %}
    {%+ if loop.first %}ON{% else %}AND{% endif %} asked.{{ word.name | ident }} = ({% include "lib/fragments/packed_word.sql" %})
{% endfor %}
INNER JOIN ppdt_vote AS vote ON vote.unit_id = asked.unit_id;
