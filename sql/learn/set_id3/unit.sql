-- learn/set_id3/unit.sql: every row with its sets, and with the member that each set is converted to.
--
-- in:      ppdt_combination (target, s<i>, n_rows); ppdt_listed_<i> (code, members, bounds)
-- out:     ppdt_unit (unit_id, target, weight, q<i> of the members, q<i> of the sets)
--          one row per row that has a class; first the columns' members, then their sets
-- params:  $run_key
-- keeps:   a draw follows from the key, the row's own sets and its number among equal rows
WITH copy AS (
    SELECT
        target{% for attribute in attributes %},
        {{ attribute.set_code }}{% endfor %},
        unnest(range(n_rows)) AS number
    FROM ppdt_combination
),

keyed AS (
    SELECT
        target{% for attribute in attributes %},
        {{ attribute.set_code }}{% endfor %},
        concat_ws('|', $run_key, target, number{% for attribute in attributes %}, {{ attribute.set_code }}{% endfor %}) AS row_key
    FROM copy
),

kind AS (
{% for attribute in attributes %}
    SELECT DISTINCT
        CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id, code, members, bounds
    FROM {{ attribute.listed_relation }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT
    row_number() OVER (ORDER BY keyed.row_key ASC) AS unit_id,
    keyed.target,
    CAST(1000000 AS BIGINT) AS weight{% for attribute in attributes %},
    {%+ with kind = "kind_%d" % attribute.position %}list_extract({{ kind | ident }}.members, 1 + len(list_filter({{ kind | ident }}.bounds, lambda bound : bound <= CAST('0x' || left(sha256(
        concat_ws('|', {{ attribute.position | literal }}, keyed.row_key)), 15) AS BIGINT) % {{ kind | ident }}.bounds[-1]))){% endwith %} AS {{ attribute.code | ident }}{% endfor %}
{% for attribute in attributes %},
    keyed.{{ attribute.set_code }} AS {{ ("q%d" % (attribute.position + attributes | length)) | ident }}
{%- endfor %}

FROM keyed
{% for attribute in attributes %}
{% with kind = "kind_%d" % attribute.position %}
INNER JOIN kind AS {{ kind | ident }}
    ON {{ kind | ident }}.attribute_id = {{ attribute.position | literal }} AND {{ kind | ident }}.code = keyed.{{ attribute.set_code }}
{% endwith %}
{% endfor %};
