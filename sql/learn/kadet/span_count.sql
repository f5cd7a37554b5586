-- learn/kadet/span_count.sql: the rows of every span by each public attribute's codes, wherever in the tree they are.
--
-- in:      ppdt_population (span_id, target, weight, q<i>); ppdt_meeting (span_id)
-- out:     ppdt_span_count (span_id, attribute_id, code, target, weight)
--          one row per (span_id, attribute_id, code, target)
-- keeps:   target is 0 throughout where classes do not matter
{% for attribute in public %}
SELECT
    population.span_id,
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(population.{{ attribute.code | ident }} AS INTEGER) AS code,
    {%+ if has_entropy %}population.target{% else %}CAST(0 AS INTEGER){% endif %} AS target,
    CAST(sum(population.weight) AS BIGINT) AS weight
FROM ppdt_population AS population
SEMI JOIN ppdt_meeting AS meeting ON meeting.span_id = population.span_id
GROUP BY population.span_id, population.{{ attribute.code | ident }}{% if has_entropy %}, population.target{% endif %}

{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
