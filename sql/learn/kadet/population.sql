-- learn/kadet/population.sql: the span of every unit, to begin with: one for all, or one for each class where
-- the class is public.
--
-- in:      ppdt_unit (unit_id, target, weight, q<i>)
-- out:     ppdt_population (unit_id, span_id, from_id, side, target, weight, q<i>)
--          one row per unit; only the public attributes
-- paper:   Friedman, Schuster, Wolff 2006, k-Anonymous Decision Tree Induction
SELECT
    unit_id,
    {%+ if is_class_public %}CAST(target AS BIGINT){% else %}CAST(0 AS BIGINT){% endif %} AS span_id,
    CAST(-1 AS BIGINT) AS from_id,
    CAST(-2 AS INTEGER) AS side,
    target,
    weight{% for attribute in public %},
    {{ attribute.code | ident }}{% endfor %}

FROM ppdt_unit;
