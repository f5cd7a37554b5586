-- encode/source.sql: read a source once that is costly to read, or may answer differently next time.
--
-- in:      the source
-- out:     ppdt_source (every column of the source)
--          one row per row of the source
SELECT
{% for column in columns %}
    source.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
