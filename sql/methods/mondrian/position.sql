-- methods/mondrian/position.sql: the positions of the codes of every ordered attribute, each as one list.
--
-- in:      ppdt_code_<i> (code, position)
-- out:     ppdt_position (position_<o>)
--          one row; only of attributes with few enough codes for a list
-- keeps:   codes count up from 0, so the position of a code stands behind as many others
SELECT
{% for attribute in listed %}
    {{ attribute.listed }}.positions AS {{ attribute.positions }}
    {{- comma(loop) }}
{% endfor %}
FROM
{% for attribute in listed %}
    (
        SELECT list(position ORDER BY code ASC) AS positions
        FROM {{ attribute.dictionary | ident }}
    ) AS {{ attribute.listed }}
    {%- if not loop.last %}
 CROSS JOIN{% endif %}

{% endfor %};
