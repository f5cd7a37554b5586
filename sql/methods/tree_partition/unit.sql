-- methods/tree_partition/unit.sql: what an inducer learns from: the combinations of codes and class, with their weight.
--
-- in:      ppdt_row (cell_id, target); ppdt_cell (cell_id, q<i>)
-- out:     ppdt_unit (unit_id, target, weight, q<i>)
--          one row per combination of codes and class that occurs
-- params:  $first_class
-- keeps:   a weight counts millionths of a row; rows without a class teach nothing and are left out
WITH counted AS (
    SELECT cell_id, target, count(*) * 1000000 AS weight
    FROM ppdt_row
    WHERE target >= $first_class
    GROUP BY cell_id, target
)

SELECT
    row_number() OVER (ORDER BY counted.cell_id ASC, counted.target ASC) AS unit_id,
    CAST(counted.target - $first_class AS INTEGER) AS target,
    CAST(counted.weight AS BIGINT) AS weight,
{% for attribute in attributes %}
    cell.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM counted
INNER JOIN ppdt_cell AS cell ON cell.cell_id = counted.cell_id;
