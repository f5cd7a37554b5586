-- encode/hierarchy/value_words.sql: the words above every value of a sensitive column, level by level.
--
-- in:      ppdt_path (path_id, code, leaf, word_<h>); ppdt_base (code, value)
-- out:     ppdt_value_words (leaf, word_<h>)
--          one row per value other than NULL
-- keeps:   an empty cell repeats the one below it: every value has a word at every level
SELECT
    {%+ with text = ("base", "value") | ident, type_name = attribute.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS leaf,
{% for level in levels %}
    coalesce({% for lower in levels[:loop.index] | reverse %}path.{{ lower | ident }}, {% endfor %}{% with text = ("base", "value") | ident, type_name = attribute.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}) AS {{ level | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ path | ident }} AS path
INNER JOIN ppdt_base AS base ON base.code = path.code
WHERE base.value IS NOT NULL;
