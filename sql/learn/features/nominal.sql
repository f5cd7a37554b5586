-- learn/features/nominal.sql: every distinct form of a nominal feature, with the members that it may stand for.
--
-- in:      the source
-- out:     ppdt_read_<i> (shown, members, has_null)
--          one row per form as it is shown
-- keeps:   members are text, each once, in the order of their bytes; NULL where nothing is known; a
--          number stands for a form on its way, since long lists are slow to compare
WITH appearing AS (
    SELECT DISTINCT {% include "lib/fragments/appears.sql" %} AS shown
    FROM {{ source }} AS source
),

seen AS (
    SELECT row_number() OVER (ORDER BY shown ASC) AS form_id, shown
    FROM appearing
),

exploded AS (
    SELECT
        form_id,
        {%+ if feature.form == "set" %}unnest(CASE WHEN array_length(shown) > 0 THEN shown ELSE [NULL] END){% else %}shown{% endif %} AS value
    FROM seen
),

member AS (
    SELECT DISTINCT
        form_id,
        {% if feature.family == "timestamptz" -%}
        concat(CAST(make_timestamp(epoch_us(value)) AS VARCHAR), '+00')
        {%- elif feature.family == "float" -%}
        CAST(CASE WHEN value = 0 THEN 0 ELSE value END AS VARCHAR)
        {%- else -%}
        CAST(value AS VARCHAR) COLLATE "binary"
        {%- endif %} AS name,
        value IS NULL AS is_null
    FROM exploded
),

held AS (
    SELECT form_id, list(name ORDER BY name ASC) AS members
    FROM member
    WHERE NOT is_null
    GROUP BY form_id
)

SELECT seen.shown, held.members, unknown.form_id IS NOT NULL AS has_null
FROM seen
LEFT JOIN held ON held.form_id = seen.form_id
LEFT JOIN member AS unknown ON unknown.form_id = seen.form_id AND unknown.is_null;
