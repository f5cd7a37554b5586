-- methods/tiers/extent.sql: what every class shows, in codes: the union of all parts that its rows are in.
--
-- in:      ppdt_class_part (class_id, part_id); ppdt_tier (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>)
-- out:     ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>)
--          one row per class
-- keeps:   `n_rows` counts the rows of the parts; a part counts once, however large it is
SELECT
    held.class_id,
    CAST(sum(tier.n_rows) AS BIGINT) AS n_rows,
{% for attribute in attributes %}
{% if attribute.has_ends %}
    min(tier.{{ attribute.lo }}) AS {{ attribute.lo }},
    max(tier.{{ attribute.hi }}) AS {{ attribute.hi }},
    bit_or(tier.{{ attribute.special }}) AS {{ attribute.special }}
{%- elif attribute.set_form == "list" %}
    list_sort(list_distinct(flatten(list(tier.{{ attribute.codes }}))), 'ASC') AS {{ attribute.codes }}
{%- else %}
    bit_or(tier.{{ attribute.codes }}) AS {{ attribute.codes }}
{%- endif %}{{ comma(loop) }}
{% endfor %}
FROM ppdt_class_part AS held
INNER JOIN ppdt_tier AS tier ON tier.class_id = held.part_id
GROUP BY held.class_id;
