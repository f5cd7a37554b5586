-- methods/specialize/held.sql: the codes that every bucket of an attribute holds.
--
-- in:      ppdt_bucket_<i> (code, bucket_id)
-- out:     ppdt_held_<i> (bucket_id, lo, hi, special, codes)
--          one row per bucket
-- keeps:   lo and hi are of the values that have a place in a range, unless nodes are shown
SELECT
    bucket_id,
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
{% if attribute.recode not in ("set", "bins") %}
    0 AS codes
{% elif attribute.set_form == "list" %}
    list_sort(list(CAST(code AS INTEGER)), 'ASC') AS codes
{% else %}
    bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << code) AS codes
{% endif %}
FROM {{ bucket | ident }}
GROUP BY bucket_id;
