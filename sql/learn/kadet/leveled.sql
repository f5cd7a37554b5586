-- learn/kadet/leveled.sql: the units with their codes at every level of the hierarchies.
--
-- in:      ppdt_unit (unit_id, target, weight, q<i>); ppdt_level (level_id, code, up_code)
-- out:     ppdt_leveled (every column of the units, and one more for each level)
--          one row per unit
SELECT
    unit.unit_id,
    unit.target,
    unit.weight{% for attribute in attributes %},
    unit.{{ attribute.code | ident }}{% endfor %}{% for level in levels %},
    CAST({{ level.attribute.dictionary_alias | ident }}.up_code AS {{ level.attribute.code_type }}) AS {{ level.attribute.code | ident }}{% endfor %}

FROM ppdt_unit AS unit
{% for level in levels %}
INNER JOIN ppdt_level AS {{ level.attribute.dictionary_alias | ident }}
    ON {{ level.attribute.dictionary_alias | ident }}.level_id = {{ level.attribute.position | literal }}
    AND {{ level.attribute.dictionary_alias | ident }}.code = unit.{{ level.base.code | ident }}
{% endfor %};
