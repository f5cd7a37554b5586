-- tree/predicted.sql: a relation with the tree's prediction beside every row.
--
-- in:      the source; ppdt_code_<i> (code, value); ppdt_asked (unit_id, word_<w>);
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
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM
    {% with table = "source", attribute = coded %}{% include "form/comparable.sql" %}{% endwith %}

{% endfor %}
INNER JOIN ppdt_asked AS asked
    ON {% for word in words %}asked.{{ word.name | ident }} = (
    {% for attribute in word.attributes -%}
    {% if not loop.first %}| {% endif -%}
    (CAST({{ attribute.dictionary_alias | ident }}.code AS {{ word.type }}) << {{ attribute.shift | literal }})
    {% endfor -%}
    ){% if not loop.last %} AND {% endif %}{% endfor %}

INNER JOIN ppdt_vote AS vote ON vote.unit_id = asked.unit_id;
