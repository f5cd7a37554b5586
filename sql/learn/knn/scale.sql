-- learn/knn/scale.sql: the least value and the range of every ordered feature.
--
-- in:      ppdt_reading (lo_<i>, hi_<i>)
-- out:     ppdt_scale (attribute_id, lowest, width)
--          one row per ordered feature
{% for feature in features %}
SELECT
    {{ feature.position | literal }} AS attribute_id,
    min(({{ feature.lo }} + {{ feature.hi }}) / 2) AS lowest,
    max(({{ feature.lo }} + {{ feature.hi }}) / 2)
    - min(({{ feature.lo }} + {{ feature.hi }}) / 2) AS width
FROM ppdt_reading
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
