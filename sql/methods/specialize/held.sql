-- specialize/held.sql: the codes that every lot of an attribute holds.
--
-- in:      ppdt_lot_<i> (code, lot_id)
-- out:     ppdt_held_<i> (lot_id, lo, hi, special, codes)
--          one row per lot
-- keeps:   lo and hi are of the values that have a place in a range, unless nodes are shown
SELECT
    lot_id,
{% if attribute.recode == "node" or attribute.kind == "categorical" %}
    min(code) AS lo,
    max(code) AS hi,
{% else %}
    min(code) FILTER (WHERE code >= {{ attribute.n_special | literal }}) AS lo,
    max(code) FILTER (WHERE code >= {{ attribute.n_special | literal }}) AS hi,
{% endif %}
    coalesce(bit_or(
        CASE WHEN code < {{ attribute.n_special | literal }} THEN CAST(1 AS INTEGER) << code END
    ), 0) AS special,
{% if attribute.recode != "set" %}
    0 AS codes
{% elif attribute.set_form == "list" %}
    list_sort(list(CAST(code AS INTEGER)), 'ASC') AS codes
{% else %}
    bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << code) AS codes
{% endif %}
FROM {{ lot | ident }}
GROUP BY lot_id;
