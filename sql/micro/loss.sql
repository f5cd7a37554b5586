-- micro/loss.sql: what all rows lose together when each shows the centre of its part.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_centre (part_id, v<i>)
-- out:     ppdt_loss (loss)
--          one row
-- params:  $fine
-- keeps:   each row's loss is counted in whole $fine-ths, so the order of addition does not matter
SELECT
    coalesce(sum(CAST(round(
        {% with left = "point", right = "centre" %}{% include "form/misfit.sql" %}{% endwith %} * CAST($fine AS DOUBLE)
    ) AS HUGEINT)), 0) AS loss
FROM ppdt_point AS point
INNER JOIN ppdt_centre AS centre ON centre.part_id = point.part_id;
