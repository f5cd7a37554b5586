-- audit/bound.sql: the classes with the ends of their ranges as numbers.
--
-- in:      ppdt_class (class_id, n_rows, is_suppressed, g<i>)
-- out:     ppdt_bound (class_id, n_rows, is_suppressed, g<i>, lo_<r>, hi_<r>)
--          one row per class
-- keeps:   a single value is a range of its own; what else a label names, such as NULL, has no ends
WITH written AS (
    SELECT
        class_id,
        n_rows,
        is_suppressed{% for column in quasi %},
        {{ column.group | ident }}
{%- endfor %}{% for part in parts if part.by_number %},
        {%+ if part.how == "range" %}coalesce(nullif(regexp_extract({{ part.group | ident }}, '^\[(.+), (.+)\]( or .+)?$', 1), ''), string_split({{ part.group | ident }}, ' or ')[1]) AS {{ part.lo_text | ident }},
        coalesce(nullif(regexp_extract({{ part.group | ident }}, '^\[(.+), (.+)\]( or .+)?$', 2), ''), string_split({{ part.group | ident }}, ' or ')[1]) AS {{ part.hi_text | ident }}
        {%- else %}CAST({{ part.group | ident }} AS VARCHAR) AS {{ part.lo_text | ident }},
        CAST({{ part.high | ident }} AS VARCHAR) AS {{ part.hi_text | ident }}{% endif %}
{%- endfor %}

    FROM ppdt_class
)


SELECT
    written.class_id,
    written.n_rows,
    written.is_suppressed{% for column in quasi %},
    written.{{ column.group | ident }}
{%- endfor %}{% for part in parts if part.by_number %},
    {%+ with text = part.lo_text | ident, axis = part.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS {{ part.lo | ident }},
    {%+ with text = part.hi_text | ident, axis = part.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS {{ part.hi | ident }}
{%- endfor %}

FROM written;
