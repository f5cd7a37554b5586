-- methods/microaggregate/loss.sql: what all rows lose together when each shows the centre of its part: squares of
-- standardized numbers, and a cost for each category that differs.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_centre (part_id, v<i>)
-- out:     ppdt_loss (loss)
--          one row
-- params:  $fine
-- keeps:   each row's loss is counted in whole $fine-ths, so the order of addition does not matter
SELECT
    coalesce(sum(CAST(round(
        (CAST(0 AS DOUBLE)
{% for axis in axes %}
{% if not axis.is_number %}
            + CASE WHEN point.{{ axis.column | ident }} = centre.{{ axis.column | ident }} THEN 0
                ELSE CAST({{ axis.penalty | literal }} AS DOUBLE) END
{% elif axis.has_null %}
            + coalesce(
                CAST({{ axis.square | literal }} AS DOUBLE)
                * (point.{{ axis.column | ident }} - centre.{{ axis.column | ident }})
                * (point.{{ axis.column | ident }} - centre.{{ axis.column | ident }}),
                CASE WHEN point.{{ axis.column | ident }} IS NOT DISTINCT FROM centre.{{ axis.column | ident }} THEN 0
                    ELSE CAST({{ axis.far_square | literal }} AS DOUBLE) END
            )
{% else %}
            + CAST({{ axis.square | literal }} AS DOUBLE)
            * (point.{{ axis.column | ident }} - centre.{{ axis.column | ident }})
            * (point.{{ axis.column | ident }} - centre.{{ axis.column | ident }})
{% endif %}
{% endfor %}
        ) * CAST($fine AS DOUBLE)
    ) AS HUGEINT)), 0) AS loss
FROM ppdt_point AS point
INNER JOIN ppdt_centre AS centre ON centre.part_id = point.part_id;
