-- engine/filled_in.sql: a step together with the steps that it alone reads.
WITH
{% for name, part in given.items() %}
{{ name | ident }} AS (
/* {{ part.step }} */
{{ part.text }}
){% if not loop.last %},{% endif %}

{% endfor %}
SELECT *
FROM (
{{ body }}
) AS step
