-- methods/specialize/extent.sql: what every class shows, in codes: the buckets of its values, whole.
--
-- in:      ppdt_class_cell (class_id, n_rows, q<i>); ppdt_bucket_<i> (code, bucket_id);
--          ppdt_held_<i> (bucket_id, lo, hi, special, codes)
-- out:     ppdt_extent (class_id, n_rows, lo_<i>, hi_<i>, special_<i>, codes_<i>)
--          one row per class
-- keeps:   as in label/extent, but by the recoding of the whole table and not by the class's rows
SELECT
    class_cell.class_id,
    class_cell.n_rows
{%- for attribute in attributes %}
,
    {{ attribute.held }}.lo AS {{ attribute.lo }}
{%- endfor %}
{%- for attribute in attributes %}
,
    {{ attribute.held }}.hi AS {{ attribute.hi }}
{%- endfor %}
{%- for attribute in attributes %}
,
    {{ attribute.held }}.special AS {{ attribute.special }}
{%- endfor %}
{%- for attribute in attributes %}
,
    {{ attribute.held }}.codes AS {{ attribute.codes }}
{%- endfor %}

FROM ppdt_class_cell AS class_cell
{% for attribute in attributes %}
INNER JOIN {{ attribute.bucket_relation }} AS {{ attribute.bucket }}
    ON {{ attribute.bucket }}.code = class_cell.{{ attribute.code | ident }}
INNER JOIN {{ attribute.held_relation }} AS {{ attribute.held }}
    ON {{ attribute.held }}.bucket_id = {{ attribute.bucket }}.bucket_id
{% endfor %};
