-- knn/placed.sql: rows as numbers that distances are made of.
--
-- in:      ppdt_asked_row or the known rows (lo_<i>, hi_<i>, set_<i>, n_rows);
--          ppdt_form_<i> (code, members, n_members); ppdt_mismatch_<i> (code, mismatches)
-- out:     ppdt_placed (row_id, answer, n_rows, own, of ordered features x_<i> and far_<i>, of nominal ones q_<i> and m_<i>)
--          one row per combination
-- params:  $lowest, $widths
-- keeps:   x counts millionths of the known range; own and far are in its squares
WITH placed AS (
    SELECT
        source.{{ answer | ident }} AS answer,
        source.n_rows,
        0.0
{% for feature in features if feature.kind == "ordered" %}
        + coalesce(round(pow((source.{{ ("hi_%d" % feature.position) | ident }} - source.{{ ("lo_%d" % feature.position) | ident }})
            / nullif($widths[{{ (feature.position + 1) | literal }}], 0), 2) / 12 * 1e12), 0)
{% endfor %}
        AS own{% for feature in features %},
{% if feature.kind == "ordered" %}
        CASE
            WHEN source.{{ ("lo_%d" % feature.position) | ident }} IS NOT NULL THEN coalesce(round(
                ((source.{{ ("lo_%d" % feature.position) | ident }} + source.{{ ("hi_%d" % feature.position) | ident }}) / 2
                    - $lowest[{{ (feature.position + 1) | literal }}])
                / nullif($widths[{{ (feature.position + 1) | literal }}], 0) * 1e6), 0)
        END AS {{ ("x_%d" % feature.position) | ident }}
{%- else %}
        {{ ("form_%d" % feature.position) | ident }}.code
        * (CASE WHEN {{ ("form_%d" % feature.position) | ident }}.n_members = 0 THEN {{ missing_sign | literal }} ELSE 1 END)
        AS {{ ("q_%d" % feature.position) | ident }}{% if feature.position in sets %},
        {{ ("mismatch_%d" % feature.position) | ident }}.mismatches AS {{ ("m_%d" % feature.position) | ident }}{% endif %}
{% endif %}{% endfor %}

    FROM {{ table | ident }} AS source
{% for feature in features if feature.kind == "nominal" %}
    INNER JOIN {{ ("ppdt_form_%d" % feature.position) | ident }} AS {{ ("form_%d" % feature.position) | ident }}
        ON {{ ("form_%d" % feature.position) | ident }}.members IS NOT DISTINCT FROM source.{{ ("set_%d" % feature.position) | ident }}
{% if feature.position in sets %}
    INNER JOIN {{ ("ppdt_mismatch_%d" % feature.position) | ident }} AS {{ ("mismatch_%d" % feature.position) | ident }}
        ON {{ ("mismatch_%d" % feature.position) | ident }}.code = {{ ("form_%d" % feature.position) | ident }}.code
{% endif %}{% endfor %}
)

SELECT
    row_number() OVER (ORDER BY answer ASC{% for feature in features %}, {{ (("x_%d" if feature.kind == "ordered" else "q_%d") % feature.position) | ident }} ASC{% endfor %}, own ASC, n_rows ASC) - 1 AS row_id,
    answer, n_rows, own{% for feature in features %},
    {% if feature.kind == "ordered" %}{{ ("x_%d" % feature.position) | ident }},
    pow(greatest(abs({{ ("x_%d" % feature.position) | ident }}), abs(1e6 - {{ ("x_%d" % feature.position) | ident }})), 2) AS {{ ("far_%d" % feature.position) | ident }}
    {%- else %}{{ ("q_%d" % feature.position) | ident }}{% if feature.position in sets %}, {{ ("m_%d" % feature.position) | ident }}{% endif %}{% endif %}{% endfor %}

FROM placed;
