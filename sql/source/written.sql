-- source/written.sql: the released relation as a CSV file holds it: lists as JSON, instants in UTC.
--
-- in:      ppdt_sorted (label_rank, <other>); ppdt_shown (label_rank, <label>); ppdt_lead (row_number)
-- out:     the release (the released columns, in the source's order)
--          one row per released row
-- keeps:   the rows that lead come first, then the others, in the order of what they show
SELECT
{% for column in columns %}
    {%+ with text = (column.table, column.inside) | ident, type_name = column.type_name %}{% if column.is_set %}{% include "lib/fragments/csv_set.sql" %}{% else %}{% include "lib/fragments/csv_text.sql" %}{% endif %}{% endwith %} AS {{ column.released | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_sorted AS sorted
INNER JOIN ppdt_shown AS shown ON shown.label_rank = sorted.label_rank
LEFT JOIN ppdt_lead AS lead ON lead.row_number = sorted.rowid
ORDER BY lead.row_number IS NULL ASC, sorted.rowid ASC;
