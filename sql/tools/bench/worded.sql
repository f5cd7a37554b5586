-- tools/bench/worded.sql: a table with some of its columns as words.
--
-- in:      the source
-- out:     ppdt_worded (the columns of the source)
--          one row per row of the source
SELECT
{% for column in columns %}
    {%+ if column in words %}CAST(source.{{ column | ident }} AS VARCHAR) AS {{ column | ident }}{% else %}source.{{ column | ident }}{% endif %}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
