-- audit/worst.sql: the classes that are worst by one measure, with what they show.
--
-- in:      a relation of measured classes (class_id, <measure>); ppdt_class (class_id, n_rows, g<i>)
-- out:     ppdt_worst (n_rows, measured, g<i>)
--          one row per class, the worst first
-- params:  $n_worst
-- keeps:   released values alone: no sensitive value, nothing of the source
SELECT
    class.n_rows,
    measured.{{ measure | ident }} AS measured{% for column in quasi %},
    {%+ with text = ("class", column.group) | ident, type_name = column.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS {{ column.group | ident }}
{%- endfor %}

FROM {{ relation | ident }} AS measured
INNER JOIN ppdt_class AS class ON class.class_id = measured.class_id
ORDER BY measured.{{ measure | ident }} {% if is_least %}ASC{% else %}DESC{% endif %}, class.n_rows ASC{% for column in quasi %}, {% with text = ("class", column.group) | ident, type_name = column.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} ASC NULLS FIRST{% endfor %}

LIMIT $n_worst;
