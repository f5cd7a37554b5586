-- learn/set_id3/combination.sql: the distinct combinations of sets and class.
--
-- in:      the source; ppdt_listed_<i> (code, shown); the target's dictionary (code, value)
-- out:     ppdt_combination (target, s<i>, n_rows)
--          one row per combination that occurs
-- params:  $first_class
-- keeps:   rows without a class teach nothing and are left out
SELECT
    CAST({{ target.dictionary_alias | ident }}.code - $first_class AS INTEGER) AS target,
{% for attribute in attributes %}
    {{ attribute.set }}.code AS {{ attribute.set_code }},
{% endfor %}
    count(*) AS n_rows
FROM {{ source }} AS source
INNER JOIN {{ target.dictionary | ident }} AS {{ target.dictionary_alias | ident }}
    ON {{ target.dictionary_alias | ident }}.value IS NOT DISTINCT FROM
    {%+ with table = "source", attribute = target %}{% include "lib/fragments/comparable.sql" %}{% endwith %}

{% for attribute in attributes %}
INNER JOIN {{ attribute.listed_relation }} AS {{ attribute.set }}
    ON {{ attribute.set }}.shown IS NOT DISTINCT FROM source.{{ attribute.name | ident }}
{% endfor %}
WHERE {{ target.dictionary_alias | ident }}.code >= $first_class
GROUP BY ALL;
