-- audit/person.sql: the combinations of quasi-identifiers among people, as they are there.
--
-- in:      a relation of people: a population, or the original
-- out:     ppdt_person (person_id, n_rows, p<i>, text_<r>, number_<r>)
--          one row per combination; text and number for the parts that are shown as ranges, number for
--          those that are shown in another type
-- keeps:   what the other type cannot hold has no number in it: as DOUBLEs, 2^60 and 2^60 + 1 are one
WITH person AS (
    SELECT
{% for part in parts %}
        {%+ if part.as_text %}{% with text = ("people", part.column) | ident, type_name = part.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}{% else %}people.{{ part.column | ident }}{% endif %}{% if part.is_text or part.as_text %} COLLATE "binary"{% endif %} AS {{ part.person | ident }},
{% if part.by_number %}
        {%+ with text = ("people", part.column) | ident, type_name = part.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS {{ part.text | ident }},
{% endif %}
{% endfor %}
        count(*) AS n_rows
    FROM {{ people }} AS people
    GROUP BY ALL
)

SELECT
    row_number() OVER (ORDER BY {% for part in parts %}{{ part.person | ident }} ASC NULLS FIRST{{ comma(loop) }}{% endfor %}) AS person_id,
    n_rows{% for part in parts %},
    {{ part.person | ident }}
{%- endfor %}{% for part in parts if part.by_number or part.as_type is not none %},
    {%+ if part.by_number %}{{ part.text | ident }},
    {%+ with text = part.text | ident, axis = part.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %}
    {%- else %}CASE
        WHEN TRY_CAST(TRY_CAST({{ part.person | ident }} AS {{ part.as_type }}) AS {{ part.own_type }}) = {{ part.person | ident }}
            THEN TRY_CAST({{ part.person | ident }} AS {{ part.as_type }})
    END{% endif %} AS {{ part.number | ident }}
{%- endfor %}

FROM person;
