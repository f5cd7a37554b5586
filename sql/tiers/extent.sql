-- tiers/extent.sql: what every class shows, in codes: the union of all parts that its rows are in.
--
-- in:      ppdt_held (class_id, part_id); ppdt_tier (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>)
-- out:     ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, special_<o>, codes_<c>)
--          one row per class
-- keeps:   `n_rows` counts the rows of the parts; a part counts once, however large it is
SELECT
    held.class_id,
    CAST(sum(tier.n_rows) AS BIGINT) AS n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" and attribute.recode != "set" %}
    min(tier.{{ ("lo_%d" % attribute.position) | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max(tier.{{ ("hi_%d" % attribute.position) | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }},
    bit_or(tier.{{ ("special_%d" % attribute.position) | ident }}) AS {{ ("special_%d" % attribute.position) | ident }}
{%- elif attribute.set_form == "list" %}
    list_sort(list_distinct(flatten(list(tier.{{ ("codes_%d" % attribute.position) | ident }}))), 'ASC') AS {{ ("codes_%d" % attribute.position) | ident }}
{%- else %}
    bit_or(tier.{{ ("codes_%d" % attribute.position) | ident }}) AS {{ ("codes_%d" % attribute.position) | ident }}
{%- endif %}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_held AS held
INNER JOIN ppdt_tier AS tier ON tier.class_id = held.part_id
GROUP BY held.class_id;
