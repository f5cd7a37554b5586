-- learn/verify/span.sql: the persons of equal spans, with their rows by class.
--
-- in:      ppdt_reached_bin (person_id, node_id); ppdt_known_person (person_id, class, n_rows)
-- out:     ppdt_span_class (span_id, class, n_rows)
--          one row per span and class
WITH bins AS (
    SELECT person_id, list_sort(list(node_id)) AS node_ids
    FROM ppdt_reached_bin
    GROUP BY person_id
),

person AS (
    SELECT
        bins.node_ids,
        person.class,
        {%+ if is_class_public %}person.class{% else %}CAST(NULL AS VARCHAR){% endif %} AS known_class,
        person.n_rows
    FROM ppdt_known_person AS person
    INNER JOIN bins ON bins.person_id = person.person_id
),

numbered AS (
    SELECT node_ids, known_class, row_number() OVER (ORDER BY node_ids ASC, known_class ASC) AS span_id
    FROM person
    GROUP BY node_ids, known_class
)

SELECT numbered.span_id, person.class, CAST(sum(person.n_rows) AS BIGINT) AS n_rows
FROM person
INNER JOIN numbered
    ON numbered.node_ids = person.node_ids
    AND numbered.known_class IS NOT DISTINCT FROM person.known_class
GROUP BY numbered.span_id, person.class;
