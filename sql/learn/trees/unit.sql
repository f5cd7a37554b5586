-- learn/trees/unit.sql: the distinct combinations of attributes and class, with their weight.
--
-- in:      ppdt_coded (word_<w>, target, weight)
-- out:     ppdt_unit (unit_id, target, weight, q<i>)
--          one row per combination of codes and class that occurs
-- params:  $first_class
-- keeps:   a weight counts millionths of a row; rows without a class teach nothing and are left out
WITH counted AS (
    SELECT
{% for word in words %}
        {{ word.name | ident }},
{% endfor %}
        target,
{% if has_weight %}
        sum(CAST(round(CAST(weight AS DOUBLE) * 1e6) AS BIGINT)) AS weight
{% else %}
        count(*) * 1000000 AS weight
{% endif %}
    FROM ppdt_coded
    WHERE target >= $first_class
    GROUP BY {% for word in words %}{{ word.name | ident }}, {% endfor %}target
)

SELECT
    row_number() OVER (
        ORDER BY {% for word in words %}{{ word.name | ident }} ASC, {% endfor %}target ASC
    ) AS unit_id,
    CAST(target - $first_class AS INTEGER) AS target,
    CAST(weight AS BIGINT) AS weight,
{% for attribute in attributes %}
    CAST(
        ({{ attribute.word | ident }} >> {{ attribute.shift | literal }}) & {{ attribute.mask | literal }}
        AS {{ attribute.code_type }}
    ) AS {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM counted;
