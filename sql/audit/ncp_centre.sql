-- audit/ncp_centre.sql: the mean certainty penalty of means and modes, by the extent of their classes.
--
-- in:      ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, codes_<c>); ppdt_label (class_id, <label>);
--          ppdt_code_<i> (code, position)
-- out:     ppdt_ncp (ncp)
--          one row
-- keeps:   where a class shows nothing although it has values, its cells are suppressed and cost 1
WITH share AS (
    SELECT
        extent.n_rows,
{% if attribute.kind == "ordered" %}
        label.{{ label.name | ident }} IS NULL AND extent.{{ attribute.lo }} IS NOT NULL AS is_suppressed,
        coalesce(high.position - low.position, 0) AS width
{% elif attribute.set_form == "list" %}
        label.{{ label.name | ident }} IS NULL
            AND extent.{{ attribute.codes }} <> {% if attribute.has_null %}[0]{% else %}[]{% endif %} AS is_suppressed,
        array_length(extent.{{ attribute.codes }}) AS n_values
{% else %}
        label.{{ label.name | ident }} IS NULL
            AND extent.{{ attribute.codes }} <> {% if attribute.has_null %}1{% else %}0{% endif %} AS is_suppressed,
        bit_count(extent.{{ attribute.codes }}) AS n_values
{% endif %}
    FROM ppdt_extent AS extent
    INNER JOIN ppdt_label AS label ON label.class_id = extent.class_id
{% if attribute.kind == "ordered" %}
    LEFT JOIN {{ attribute.dictionary | ident }} AS low ON low.code = extent.{{ attribute.lo }}
    LEFT JOIN {{ attribute.dictionary | ident }} AS high ON high.code = extent.{{ attribute.hi }}
{% endif %}
)

SELECT CAST(sum(CAST(n_rows * CASE
    WHEN is_suppressed THEN 1
{% if attribute.kind == "ordered" %}
    ELSE round(width, 12)
{% else %}
    WHEN n_values = 1 THEN 0
    ELSE round(n_values / CAST({{ attribute.n_codes | literal }} AS DOUBLE), 12)
{% endif %}
    END AS DECIMAL(38, 12))) AS DOUBLE) / sum(n_rows) AS ncp
FROM share;
