-- learn/kadet/span_count.sql: the rows of every fresh span by each public attribute's codes, wherever in the tree
-- they are.
--
-- in:      ppdt_population (span_id, target, weight, q<i>)
-- out:     ppdt_span_count (span_id, attribute_id, code, target, weight)
--          one row per (span_id, attribute_id, code, target)
-- params:  $first_span
-- keeps:   target is 0 throughout where classes do not matter
WITH held AS (
    SELECT
        span_id,
        {%+ if has_entropy %}target{% else %}CAST(0 AS INTEGER){% endif %} AS target,
        weight,
        unnest([{% for attribute in public %}{{ attribute.position | literal }}{% if not loop.last %}, {% endif %}{% endfor %}]) AS attribute_id,
        unnest([
{% for attribute in public %}
            CAST({{ attribute.code | ident }} AS INTEGER){{ comma(loop) }}
{% endfor %}
        ]) AS code
    FROM ppdt_population
    WHERE span_id >= $first_span
)

SELECT
    span_id,
    CAST(attribute_id AS INTEGER) AS attribute_id,
    code,
    target,
    CAST(sum(weight) AS BIGINT) AS weight
FROM held
GROUP BY span_id, attribute_id, code, target;
