-- learn/features/as_ranges.sql: a source with its bounds as the ranges that they stand for.
--
-- in:      the source
-- out:     ppdt_as_ranges (the columns that are asked for)
--          one row per row of the source
SELECT
{% for feature in features %}
    {%+ if feature.form == "bounds" %}{% include "lib/fragments/appears.sql" %}{% else %}source.{{ feature.column | ident }}{% endif %} AS {{ feature.column | ident }},
{% endfor %}
{% for column in columns %}
    source.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
