-- recode/release.sql: the released relation: labels for the quasi-identifiers, the rest as it was.
--
-- in:      ppdt_sorted (label_rank, <other>); ppdt_shown (label_rank, <label>)
-- out:     the release (the released columns, in the source's order)
--          one row per released row
SELECT
{% for column in columns %}
    {%+ if column.as_type %}CAST({{ column.table | ident }}.{{ column.inside | ident }} AS {{ column.as_type }})
    {%- else %}{{ column.table | ident }}.{{ column.inside | ident }}{% endif %} AS {{ column.released | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_sorted AS sorted
INNER JOIN ppdt_shown AS shown ON shown.label_rank = sorted.label_rank;
