-- learn/knn/placed.sql: rows as numbers that distances are made of.
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
        + coalesce(round(
            pow((source.{{ feature.hi }} - source.{{ feature.lo }}) / nullif($widths[{{ (feature.position + 1) | literal }}], 0), 2) / 12 * 1e12
        ), 0)
{% endfor %}
        AS own
{%- for feature in features if feature.kind == "ordered" %},
        CASE
            WHEN source.{{ feature.lo }} IS NOT NULL THEN coalesce(round(
                ((source.{{ feature.lo }} + source.{{ feature.hi }}) / 2 - $lowest[{{ (feature.position + 1) | literal }}])
                / nullif($widths[{{ (feature.position + 1) | literal }}], 0) * 1e6
            ), 0)
        END AS {{ feature.x }}
{%- endfor %}
{%- for feature in features if feature.kind == "nominal" %},
        {{ feature.form_alias }}.code
        * (CASE WHEN {{ feature.form_alias }}.n_members = 0 THEN {{ missing_sign | literal }} ELSE 1 END) AS {{ feature.q }}
{%- if feature.position in sets %},
        {{ feature.mismatch }}.mismatches AS {{ feature.m }}
{%- endif %}
{%- endfor %}

    FROM {{ table | ident }} AS source
{% for feature in features if feature.kind == "nominal" %}
    INNER JOIN {{ feature.form_relation }} AS {{ feature.form_alias }}
        ON {{ feature.form_alias }}.members IS NOT DISTINCT FROM source.{{ feature.set }}
{% if feature.position in sets %}
    INNER JOIN {{ feature.mismatch_relation }} AS {{ feature.mismatch }}
        ON {{ feature.mismatch }}.code = {{ feature.form_alias }}.code
{% endif %}
{% endfor %}
)

SELECT
    row_number() OVER (ORDER BY answer ASC{% for feature in features %}, {% if feature.kind == "ordered" %}{{ feature.x }}{% else %}{{ feature.q }}{% endif %} ASC{% endfor %}, own ASC, n_rows ASC) - 1 AS row_id,
    answer,
    n_rows,
    own
{%- for feature in features %},
    {%+ if feature.kind == "ordered" %}{{ feature.x }},
    pow(greatest(abs({{ feature.x }}), abs(1e6 - {{ feature.x }})), 2) AS {{ feature.far }}
    {%- else %}{{ feature.q }}{% endif %}
{%- if feature.position in sets %},
    {{ feature.m }}
{%- endif %}
{%- endfor %}

FROM placed;
