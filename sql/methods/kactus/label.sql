-- methods/kactus/label.sql: what every class shows: the tested attributes; the others are suppressed.
--
-- in:      ppdt_parent (class_id, group_id); ppdt_tested (class_id, attribute_id); ppdt_centre_<i> (class_id, centre)
-- out:     ppdt_label (class_id, <label>)
--          one row per class
-- keeps:   what a path tested by equality has one value in the class; what it tested by inequality shows
--          the mean of the class; the rest is NULL
-- paper:   Kisilevich, Rokach, Elovici, Shapira 2010, section 4
WITH shown AS (
    SELECT
        parent.class_id,
{% for attribute in attributes %}
        coalesce(bool_or(tested.attribute_id = {{ attribute.position | literal }}), FALSE) AS {{ attribute.is_tested }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_parent AS parent
    LEFT JOIN ppdt_tested AS tested ON tested.class_id = parent.group_id
    GROUP BY parent.class_id
)

SELECT
    shown.class_id,
{% for attribute in attributes %}
    CASE WHEN shown.{{ attribute.is_tested }} THEN {{ attribute.centre }}.centre END
        AS {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM shown
{% for attribute in attributes %}
LEFT JOIN {{ attribute.centre_relation }} AS {{ attribute.centre }}
    ON {{ attribute.centre }}.class_id = shown.class_id
{% endfor %};
