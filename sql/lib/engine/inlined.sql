-- lib/engine/inlined.sql: a step together with the steps that it alone reads.
WITH
{% for name, part in given.items() %}
{{ name | ident }} AS (
    /* {{ part.step }} */
    {{ part.text | indented }}
){{ comma(loop) }}
{% endfor %}
SELECT *
FROM (
    {{ body | indented }}
) AS step
