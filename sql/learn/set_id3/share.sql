-- learn/set_id3/share.sql: the members of the sets of all columns, with their place in the set.
--
-- in:      ppdt_listed_<i> (code, members)
-- out:     ppdt_set_share (attribute_id, set_code, code, place, n_members)
--          one row per (attribute_id, set_code, code)
WITH held AS (
{% for attribute in attributes %}
    SELECT DISTINCT CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code, members
    FROM {{ attribute.listed_relation }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

exploded AS (
    SELECT attribute_id, code AS set_code, unnest(members) AS code, len(members) AS n_members
    FROM held
)

SELECT
    attribute_id,
    set_code,
    code,
    row_number() OVER (PARTITION BY attribute_id, set_code ORDER BY code ASC) - 1 AS place,
    n_members
FROM exploded;
