-- guard/protected_level.sql: the node in which each sensitive value lies, at every level of its hierarchy.
--
-- in:      the dictionary (code, value) and the words (leaf, word_<h>) of each sensitive column that has one
-- out:     ppdt_protected_level (kind, protected_key, level, node, n_levels)
--          one row per (kind, protected_key, level), from the values to below the root
-- keeps:   NULL is a branch of its own below the root
{% for protected_key in protected_keys if protected_key.hierarchy %}
{% set outer = loop %}
{% for level in protected_key.hierarchy.levels %}
SELECT
    CAST({{ protected_key.kind | literal }} AS TINYINT) AS kind,
    dictionary.code AS protected_key,
    CAST({{ loop.index0 | literal }} AS INTEGER) AS level,
    value_words.{{ level | ident }} AS node,
    CAST({{ protected_key.hierarchy.levels | length | literal }} AS INTEGER) AS n_levels
FROM {{ protected_key.dictionary | ident }} AS dictionary
LEFT JOIN {{ protected_key.hierarchy.relation | ident }} AS value_words
    ON value_words.leaf = {% with text = ("dictionary", "value") | ident, type_name = protected_key.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary"
{% if not (loop.last and outer.last) %}
UNION ALL
{% endif %}
{% endfor %}
{% endfor %};
