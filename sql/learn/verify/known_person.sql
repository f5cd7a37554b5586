-- learn/verify/known_person.sql: the combinations of public values that a tree tests, with their rows.
--
-- in:      ppdt_coded (word_<w>, truth)
-- out:     ppdt_known_person (person_id, class, n_rows, q<i>)
--          one row per combination, and class
-- keeps:   rows without a class are no part of what a tree is learnt from
WITH read AS (
    SELECT
{% for attribute in public %}
        CAST(
            ({{ attribute.word | ident }} >> {{ attribute.shift | literal }}) & {{ attribute.mask | literal }}
            AS {{ attribute.code_type }}
        ) AS {{ attribute.code | ident }},
{% endfor %}
        CAST(truth AS VARCHAR) COLLATE "binary" AS truth
    FROM ppdt_coded
    WHERE truth IS NOT NULL
),

counted AS (
    SELECT {% for attribute in public %}{{ attribute.code | ident }}, {% endfor %}truth, count(*) AS n_rows
    FROM read
    GROUP BY {% for attribute in public %}{{ attribute.code | ident }}, {% endfor %}truth
)

SELECT
    dense_rank() OVER (
        ORDER BY {% for attribute in public %}{{ attribute.code | ident }} ASC, {% endfor %}{% if is_class_public %}truth ASC{% else %}0 ASC{% endif %}

    ) AS person_id,
    truth AS class,
    n_rows{% for attribute in public %},
    {{ attribute.code | ident }}{% endfor %}

FROM counted;
