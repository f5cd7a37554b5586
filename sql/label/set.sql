-- label/set.sql: every set of codes that a class shows, as the list of its values in order.
--
-- in:      ppdt_extent (codes_<c>); ppdt_code_<i> (code, value)
-- out:     ppdt_set_<i> (codes, members)
--          one row per set that occurs; there are far fewer of them than classes
-- keeps:   NULL is a member like any other
WITH occurring AS (
    SELECT DISTINCT {{ attribute.codes }} AS codes
    FROM ppdt_extent
){% if attribute.set_form == "list" %},

spread AS (
    SELECT codes, unnest(codes) AS code
    FROM occurring
){% endif %}

SELECT
    {%+ if attribute.set_form == "list" %}spread{% else %}occurring{% endif %}.codes,
    list(
        {%+ if attribute.family == "enum" %}CAST(dictionary.value AS VARCHAR){% else %}{% with text = ("dictionary", "value") | ident, is_text = attribute.family == "text" %}{% include "lib/fragments/plain.sql" %}{% endwith %}{% endif %}

        ORDER BY dictionary.code ASC
    ) AS members
{% if attribute.set_form == "list" %}
FROM spread
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = spread.code
GROUP BY spread.codes
{% else %}
FROM occurring
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
    ON (occurring.codes >> dictionary.code) & 1 = 1
GROUP BY occurring.codes
{% endif %};
