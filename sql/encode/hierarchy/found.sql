-- encode/hierarchy/found.sql: the values of a column beside their rows in a hierarchy.
--
-- in:      ppdt_base (code, value); ppdt_hierarchy_row (path_id, leaf, word_<h>)
-- out:     ppdt_path (path_id, code, leaf, word_<h>)
--          one row per value and row of the hierarchy that meet, and per one that meets none
-- keeps:   numbers and times meet as what they are, texts by their bytes; a NULL that the hierarchy does
--          not name lies below the root; an instant that names no time zone is in UTC
WITH named AS (
    SELECT
        path_id,
        leaf,
        leaf IS NULL AS is_null,
{% if attribute.family in ("integer", "huge") and not attribute.decimals %}
        CASE WHEN regexp_matches(leaf, '^ *[+-]?[0-9]+([.]0*)? *$') OR (contains(lower(leaf), 'e')
            AND TRY_CAST(leaf AS DOUBLE) = floor(TRY_CAST(leaf AS DOUBLE))) THEN TRY_CAST(leaf AS {{ type_name }}) END AS value
{% elif attribute.family in ("text", "enum", "uuid") %}
        leaf AS value
{% elif attribute.family == "timestamptz" %}
        CASE WHEN isfinite(TRY_CAST(leaf AS TIMESTAMP)) AND NOT regexp_matches(leaf, ':.*[-+A-Za-z]')
            THEN make_timestamptz(epoch_us(TRY_CAST(leaf AS TIMESTAMP))) ELSE TRY_CAST(leaf AS {{ type_name }}) END AS value
{% else %}
        TRY_CAST(leaf AS {{ type_name }}) AS value
{% endif %}
    FROM ppdt_hierarchy_row
),

known AS (
    SELECT
        code,
        value IS NULL AS is_null,
        {%+ if attribute.family in ("text", "enum", "uuid") %}CAST(value AS VARCHAR) COLLATE "binary"{% else %}value{% endif %} AS value
    FROM ppdt_base
),

met AS (
    SELECT named.path_id, named.leaf, known.code, known.is_null
    FROM named
    FULL JOIN known
        ON known.value IS NOT DISTINCT FROM named.value AND known.is_null = named.is_null
)

SELECT
    row_number() OVER (ORDER BY met.path_id ASC NULLS LAST, met.code ASC) AS path_id,
    met.code,
    met.leaf,
{% for level in levels %}
    {%+ if loop.last %}coalesce(branch.{{ nth("word", loop) }}, CASE WHEN met.path_id IS NULL AND met.is_null THEN
        (SELECT max({{ nth("word", loop) }}) FROM ppdt_hierarchy_row) END) AS {{ nth("word", loop) }}

    {%- else %}branch.{{ nth("word", loop) }},{% endif %}

{% endfor %}
FROM met
LEFT JOIN ppdt_hierarchy_row AS branch ON branch.path_id = met.path_id;
