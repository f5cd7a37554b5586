{#- lib/fragments/could_be.sql: whether all texts are values of a type, as it would write them. What is NULL is no value.
Wants: text, kind, is_part. -#}
{%- if kind == "BOOLEAN" -%}
bool_and({{ text }} IS NULL OR lower({{ text }}) IN ('true', 'false'))
{%- elif kind in ("BIGINT", "HUGEINT") -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '0|-?[1-9][0-9]*') AND TRY_CAST({{ text }} AS {% if kind == "BIGINT" %}BIGINT{% else %}HUGEINT{% endif %}) IS NOT NULL)
{%- elif kind == "DOUBLE" -%}
bool_and(CASE
        WHEN {{ text }} IS NULL THEN TRUE
        WHEN lower({{ text }}) IN ('nan', 'inf', '-inf', 'infinity', '-infinity') THEN TRUE
        WHEN NOT regexp_full_match({{ text }}, '-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?') THEN FALSE
        WHEN regexp_full_match({{ text }}, '-?[0-9]+') THEN abs(TRY_CAST({{ text }} AS DOUBLE)) < 9007199254740992
        ELSE TRY_CAST({{ text }} AS DOUBLE) IS NOT NULL
            AND length(regexp_replace(regexp_replace({{ text }}, '^[-0.]+|[eE].*$', '', 'g'), '\.', '')) <= 17
    END){% if not is_part %} AND bool_or(regexp_matches({{ text }}, '[0-9]')){% endif %}
{%- elif kind == "DATE" -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND TRY_CAST({{ text }} AS DATE) IS NOT NULL)
{%- elif kind == "TIMESTAMP" -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?)?') AND TRY_CAST({{ text }} AS TIMESTAMP) IS NOT NULL)
{%- elif kind == "TIMESTAMP WITH TIME ZONE" -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)') AND TRY_CAST({{ text }} AS TIMESTAMP WITH TIME ZONE) IS NOT NULL)
{%- elif kind == "TIME" -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?') AND TRY_CAST({{ text }} AS TIME) IS NOT NULL)
{%- else -%}
bool_and({{ text }} IS NULL OR regexp_full_match({{ text }}, '\[(("([^"\\]|\\.)*"|[^", \[\]{}]+)(,("([^"\\]|\\.)*"|[^", \[\]{}]+))*)?\]') AND json_valid({{ text }}))
{%- endif -%}
