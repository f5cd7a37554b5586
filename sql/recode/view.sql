-- recode/view.sql: the view by which a snapshot is known.
--
-- in:      ppdt.snapshot_<run> (the released columns)
-- out:     the release (the released columns)
--          one row per released row
SELECT
{% for column in columns %}
    snapshot.{{ column.released | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ snapshot | ident }} AS snapshot;
