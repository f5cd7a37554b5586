-- audit/lead_size.sql: how many labels and how many people's values each quasi-identifier has.
--
-- in:      ppdt_bound (class_id, is_suppressed, g<i>); ppdt_person (person_id, p<i>)
-- out:     ppdt_lead_size (part, n_classes, n_people, n_labels, n_values)
--          one row per part
{% for part in parts %}
SELECT
    {{ loop.index0 | literal }} AS part,
    (SELECT count(*) FROM ppdt_bound) AS n_classes,
    (SELECT count(*) FROM ppdt_person) AS n_people,
    (SELECT count(*) FROM (SELECT DISTINCT {% for name in part.label %}{{ name | ident }}{{ comma(loop) }}{% endfor %} FROM ppdt_bound WHERE NOT is_suppressed) AS label) AS n_labels,
    (SELECT count(*) FROM (SELECT DISTINCT {{ part.person | ident }} FROM ppdt_person) AS value) AS n_values
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
