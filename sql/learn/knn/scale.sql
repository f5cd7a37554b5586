-- knn/scale.sql: the least value and the range of every ordered feature.
--
-- in:      ppdt_reading (lo_<i>, hi_<i>)
-- out:     ppdt_scale (attribute_id, lowest, width)
--          one row per ordered feature
{% for feature in features %}
SELECT
    {{ feature.position | literal }} AS attribute_id,
    min(({{ ("lo_%d" % feature.position) | ident }} + {{ ("hi_%d" % feature.position) | ident }}) / 2) AS lowest,
    max(({{ ("lo_%d" % feature.position) | ident }} + {{ ("hi_%d" % feature.position) | ident }}) / 2)
    - min(({{ ("lo_%d" % feature.position) | ident }} + {{ ("hi_%d" % feature.position) | ident }}) / 2) AS width
FROM ppdt_reading
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
