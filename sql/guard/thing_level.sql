-- guard/thing_level.sql: the node in which each sensitive value lies, at every level of its hierarchy.
--
-- in:      the dictionary (code, value) and the ladder (leaf, word_<h>) of each sensitive column that has one
-- out:     ppdt_thing_level (kind, thing, level, node, n_levels)
--          one row per (kind, thing, level), from the values to below the root
-- keeps:   NULL is a branch of its own below the root
{% for thing in things if thing.ladder %}
{% set outer = loop %}
{% for level in thing.ladder.levels %}
SELECT
    CAST({{ thing.kind | literal }} AS TINYINT) AS kind,
    dictionary.code AS thing,
    CAST({{ loop.index0 | literal }} AS INTEGER) AS level,
    ladder.{{ level | ident }} AS node,
    CAST({{ thing.ladder.levels | length | literal }} AS INTEGER) AS n_levels
FROM {{ thing.dictionary | ident }} AS dictionary
LEFT JOIN {{ thing.ladder.relation | ident }} AS ladder
    ON ladder.leaf = {% with text = ("dictionary", "value") | ident, type_name = thing.type_name %}{% include "form/utc_text.sql" %}{% endwith %} COLLATE "binary"
{% if not (loop.last and outer.last) %}
UNION ALL
{% endif %}
{% endfor %}
{% endfor %};
