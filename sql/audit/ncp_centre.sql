-- audit/ncp_centre.sql: the mean certainty penalty of means and modes, by the extent of their classes.
--
-- in:      ppdt_extent (n_rows, lo_<o>, hi_<o>, codes_<c>); ppdt_code_<i> (code, position)
-- out:     ppdt_ncp (ncp)
--          one row
SELECT CAST(sum(CAST(extent.n_rows *
{% if attribute.kind == "ordered" %}
    coalesce(round(high.position - low.position, 12), 0)
{% elif attribute.set_form == "list" %}
    CASE WHEN len(extent.{{ ("codes_%d" % attribute.position) | ident }}) = 1 THEN 0
        ELSE round(len(extent.{{ ("codes_%d" % attribute.position) | ident }}) / CAST({{ attribute.n_codes | literal }} AS DOUBLE), 12) END
{% else %}
    CASE WHEN bit_count(extent.{{ ("codes_%d" % attribute.position) | ident }}) = 1 THEN 0
        ELSE round(bit_count(extent.{{ ("codes_%d" % attribute.position) | ident }}) / CAST({{ attribute.n_codes | literal }} AS DOUBLE), 12) END
{% endif %}
    AS DECIMAL(38, 12))) AS DOUBLE) / sum(extent.n_rows) AS ncp
FROM ppdt_extent AS extent
{% if attribute.kind == "ordered" %}
LEFT JOIN {{ attribute.dictionary | ident }} AS low ON low.code = extent.{{ ("lo_%d" % attribute.position) | ident }}
LEFT JOIN {{ attribute.dictionary | ident }} AS high ON high.code = extent.{{ ("hi_%d" % attribute.position) | ident }}
{% endif %};
