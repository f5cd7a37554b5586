-- source/member.sql: which types all members of each column of JSON lists can have.
--
-- in:      the file, as text
-- out:     ppdt_member_guess (position, and for each type whether all members have it)
--          one row per column of lists
-- keeps:   as in source/guess
WITH member AS (
{% for column in columns %}
    SELECT {{ column.position | literal }} AS position, unnest(from_json(nullif(written.{{ column.name | ident }}, ''), '["VARCHAR"]')) AS value
    FROM {{ source }} AS written
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT
    position{% for kind in kinds %},
    {%+ with text = "value" | ident %}coalesce(CASE WHEN count({{ text }}) > 0 THEN {% include "lib/fragments/could_be.sql" %} END, {{ is_part | literal }}){% endwith %} AS {{ ("is_" ~ loop.index) | ident }}
{%- endfor %}

FROM member
GROUP BY position
ORDER BY position ASC;
