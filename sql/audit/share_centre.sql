-- audit/share_centre.sql: how much of an attribute each class covers that shows a mean, median, mode or middle.
--
-- in:      ppdt_extent (class_id, n_rows, lo_<o>, hi_<o>, codes_<c>); ppdt_label (class_id, <label>);
--          ppdt_code_<i> (code, position)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per class; words is the text of its label
-- keeps:   a class covers the extent of its rows; one that shows nothing although it has values covers all
WITH share AS (
    SELECT
        CAST(label.{{ label.name | ident }} AS VARCHAR) AS words,
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

SELECT
    words,
    CAST(NULL AS VARCHAR) AS high_words,
    n_rows,
    CASE
        WHEN is_suppressed THEN 1
{% if attribute.kind == "ordered" %}
        ELSE round(width, 12)
{% else %}
        WHEN n_values = 1 THEN 0
        ELSE round(n_values / CAST({{ attribute.n_codes | literal }} AS DOUBLE), 12)
{% endif %}
    END AS share,
    FALSE AS is_missing
FROM share;
