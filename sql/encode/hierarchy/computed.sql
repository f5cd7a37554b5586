-- encode/hierarchy/computed.sql: the values of a column beside the words that are computed for them.
--
-- in:      ppdt_base (code, value, n_steps)
-- out:     ppdt_computed (path_id, code, leaf, word_<h>)
--          one row per value; the last word is the root's
WITH base AS (
    SELECT
        code,
        value,
{% if attribute.family == "timestamptz" %}
        CASE
            WHEN isfinite(value) THEN make_timestamp(epoch_us(value))
            ELSE CAST(CAST(value AS VARCHAR) AS TIMESTAMP)
        END AS instant,
{% endif %}
        n_steps
    FROM ppdt_base
)

SELECT
    base.code AS path_id,
    base.code,
    {%+ with text = ("base", "value") | ident, type_name = attribute.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS leaf,
{% for level in steps %}
    {%+ include "lib/fragments/level.sql" %} AS {{ nth("word", loop) }},
{% endfor %}
    '*' AS {{ ("word_%d" % (steps | length)) | ident }}
FROM base;
