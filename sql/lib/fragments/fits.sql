{#- lib/fragments/fits.sql: whether a person's value fits what a class shows: the same value, a value of the
set, a value within the bounds or the range, or a NULL, NaN or infinity that the label names. Wants: part. -#}
{%- if part.how == "same" -%}
{% if part.as_type is none %}class.{{ part.group | ident }} IS NOT DISTINCT FROM person.{{ part.person | ident }}
{%- else %}CASE WHEN person.{{ part.person | ident }} IS NULL THEN class.{{ part.group | ident }} IS NULL
        ELSE coalesce(class.{{ part.group | ident }} = person.{{ part.number | ident }}, FALSE) END
{%- endif %}
{%- elif part.how == "set" -%}
CASE WHEN person.{{ part.person | ident }} IS NULL
        THEN coalesce(list_count(class.{{ part.group | ident }}) < len(class.{{ part.group | ident }}), TRUE)
        ELSE coalesce(list_contains(class.{{ part.group | ident }}, person.{% if part.as_type is none %}{{ part.person | ident }}{% else %}{{ part.number | ident }}{% endif %}), FALSE) END
{%- elif part.how == "bounds" -%}
CASE WHEN person.{{ part.person | ident }} IS NULL
        THEN {% if part.has_null %}coalesce(class.{{ part.has_null | ident }}, class.{{ part.group | ident }} IS NULL){% else %}class.{{ part.group | ident }} IS NULL{% endif %}

        ELSE coalesce({% if part.by_number %}person.{{ part.number | ident }} BETWEEN class.{{ part.lo | ident }} AND class.{{ part.hi | ident }}{% else %}person.{{ part.person | ident }} BETWEEN class.{{ part.group | ident }} AND class.{{ part.high | ident }}{% endif %}, FALSE)
            {%- if part.has_nonfinite %} OR (coalesce(class.{{ part.has_nonfinite | ident }}, FALSE) AND NOT isfinite(person.{{ part.person | ident }})){% endif %} END
{%- else -%}
coalesce(person.{{ part.number | ident }} BETWEEN class.{{ part.lo | ident }} AND class.{{ part.hi | ident }}, FALSE)
        OR list_contains(string_split(coalesce(class.{{ part.group | ident }}, 'NULL'), ' or '),
            coalesce(person.{{ part.text | ident }}, 'NULL'))
{%- endif -%}
