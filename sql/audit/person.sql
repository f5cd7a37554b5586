-- audit/person.sql: the combinations of quasi-identifiers among people, as they are there.
--
-- in:      a relation of people: a population, or the original
-- out:     ppdt_person (person_id, n_rows, p<i>, text_<r>, number_<r>)
--          one row per combination; text and number for the parts that are shown as ranges
WITH person AS (
    SELECT
{% for part in parts %}
        {% if part.as_text %}CAST(people.{{ part.column | ident }} AS VARCHAR){% else %}people.{{ part.column | ident }}{% endif %}{% if part.is_text or part.as_text %} COLLATE "binary"{% endif %} AS {{ part.person | ident }},
{% if part.how == "range" %}
        CAST(people.{{ part.column | ident }} AS VARCHAR) AS {{ part.text | ident }},
{% endif %}
{% endfor %}
        count(*) AS n_rows
    FROM {{ people }} AS people
    GROUP BY ALL
)

SELECT
    row_number() OVER (ORDER BY {% for part in parts %}{{ part.person | ident }} ASC NULLS FIRST{% if not loop.last %}, {% endif %}{% endfor %}) AS person_id,
    n_rows{% for part in parts %},
    {{ part.person | ident }}
{%- endfor %}{% for part in parts if part.how == "range" %},
    {{ part.text | ident }},
    {% with text = part.text | ident %}{% include "form/as_number.sql" %}{% endwith %} AS {{ part.number | ident }}
{%- endfor %}

FROM person;
