-- audit/bound.sql: the classes with the ends of their ranges as numbers.
--
-- in:      ppdt_class (class_id, n_rows, is_suppressed, g<i>)
-- out:     ppdt_bound (class_id, n_rows, is_suppressed, g<i>, lo_<r>, hi_<r>)
--          one row per class
-- keeps:   a single value is a range of its own; what else a label names, such as NULL, has no ends; a range
--          without an end reaches as far as its type
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
    {% with text = part.lo_text | ident, axis = part.axis %}
    {%+ if part.how == "range" and axis is not none %}CASE WHEN {{ part.lo_text | ident }} <> {{ part.hi_text | ident }} AND {% include "lib/fragments/is_open.sql" %}

        THEN CAST({{ axis.least | literal }} AS {{ axis.type_name }}) ELSE {% include "lib/fragments/as_number.sql" %} END
    {%- else %}{% include "lib/fragments/as_number.sql" %}{% endif %}{% endwith %} AS {{ part.lo | ident }},
    {% with text = part.hi_text | ident, axis = part.axis %}
    {%+ if part.how == "range" and axis is not none %}CASE WHEN {{ part.lo_text | ident }} <> {{ part.hi_text | ident }} AND {% include "lib/fragments/is_open.sql" %}

        THEN CAST({{ axis.most | literal }} AS {{ axis.type_name }}) ELSE {% include "lib/fragments/as_number.sql" %} END
    {%- else %}{% include "lib/fragments/as_number.sql" %}{% endif %}{% endwith %} AS {{ part.hi | ident }}
{%- endfor %}

FROM written;
