-- recode/sorted.sql: the rows in the order of what they will show, and with it nothing else.
--
-- in:      ppdt_row (cell_id | row_id, <other>); ppdt_member (cell_id | row_id, class_id); ppdt_rank (class_id, label_rank)
-- out:     ppdt_sorted (label_rank, <other>)
--          one row per row that belongs to a class
-- keeps:   the order follows from the released values alone: where a row lay in the source is gone
SELECT
    rank.label_rank
{%- for other in others %},
    placed.{{ other.name | ident }}
{%- endfor %}

FROM ppdt_row AS placed
INNER JOIN ppdt_member AS member ON member.{{ unit | ident }} = placed.{{ unit | ident }}
INNER JOIN ppdt_rank AS rank ON rank.class_id = member.class_id
ORDER BY
    rank.label_rank ASC
{%- for other in others if other.form != "code" %},
    {%+ with table = "placed" %}{% include "lib/fragments/in_order.sql" %}{% endwith %}
{%- endfor %};
