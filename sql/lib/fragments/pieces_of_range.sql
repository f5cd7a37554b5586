{#- lib/fragments/pieces_of_range.sql: the ranges of an attribute that are tested, and their pieces on every side of the
cut. A range's code tells its lowest code, how many values it covers, and how many of those are NULL. On a side (0: unknown,
1: at or below, 2: above) is a piece with its share of the weight; the last takes what does not divide. Wants: attribute,
attributes, carried; reads `tested`. -#}
{{ attribute.range }} AS (
    SELECT
        {%+ for name in carried %}{{ name | ident }}, {% endfor %}weight,
        {%+ for one in attributes %}{{ one.code | ident }}{{ comma(loop) }}{% endfor %},
        {{ attribute.code | ident }} & {{ attribute.value_mask | literal }} AS lo,
        (({{ attribute.code | ident }} >> {{ attribute.value_bits | literal }}) & {{ attribute.value_mask | literal }}) + 1 AS n_values,
        {{ attribute.code | ident }} >> {{ (2 * attribute.value_bits) | literal }} AS n_null,
        greatest(0, least(at_code - lo + 1, n_values)) AS n_left,
        weight // (n_values + n_null) AS share
    FROM tested
    WHERE attribute_id = {{ attribute.position | literal }} AND {{ attribute.code | ident }} > {{ attribute.value_mask | literal }}
),

{{ attribute.piece }} AS (
    SELECT
        {%+ for name in carried %}{{ name | ident }}{{ comma(loop) }}{% endfor %},
        {%+ for one in attributes %}{{ one.code | ident }}{{ comma(loop) }}{% endfor %},
        CASE side
            WHEN 0 THEN 0
            WHEN 1 THEN lo | ((greatest(n_left, 1) - 1) << {{ attribute.value_bits | literal }})
            ELSE (lo + n_left) | (greatest(n_values - n_left - 1, 0) << {{ attribute.value_bits | literal }})
        END AS part_code,
        CASE side
            WHEN 0 THEN n_null * share
            WHEN 1 THEN CASE WHEN n_left < n_values THEN n_left * share ELSE weight - n_null * share END
            WHEN 2 THEN CASE WHEN n_left < n_values THEN weight - (n_left + n_null) * share ELSE 0 END
        END AS part_weight
    FROM {{ attribute.range }}
    CROSS JOIN (SELECT unnest([0, 1, 2]) AS side) AS way
)
{#- -#}
