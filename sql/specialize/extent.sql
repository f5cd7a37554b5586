-- specialize/extent.sql: what every class shows, in codes: the lots of its values, whole.
--
-- in:      ppdt_face (class_id, n_rows, q<i>); ppdt_lot_<i> (code, lot_id);
--          ppdt_held_<i> (lot_id, lo, hi, special, codes)
-- out:     ppdt_extent (class_id, n_rows, lo_<i>, hi_<i>, special_<i>, codes_<i>)
--          one row per class
-- keeps:   as in label/extent, but by the recoding of the whole table and not by the class's rows
SELECT
    face.class_id,
    face.n_rows
{%- for attribute in attributes %}
{% set held = "held_%d" % attribute.position %}
,
    {{ (held, "lo") | ident }} AS {{ ("lo_%d" % attribute.position) | ident }}
{%- endfor %}
{%- for attribute in attributes %}
{% set held = "held_%d" % attribute.position %}
,
    {{ (held, "hi") | ident }} AS {{ ("hi_%d" % attribute.position) | ident }}
{%- endfor %}
{%- for attribute in attributes %}
{% set held = "held_%d" % attribute.position %}
,
    {{ (held, "special") | ident }} AS {{ ("special_%d" % attribute.position) | ident }}
{%- endfor %}
{%- for attribute in attributes %}
{% set held = "held_%d" % attribute.position %}
,
    {{ (held, "codes") | ident }} AS {{ ("codes_%d" % attribute.position) | ident }}
{%- endfor %}

FROM ppdt_face AS face
{% for attribute in attributes %}
{% set lot, held = "lot_%d" % attribute.position, "held_%d" % attribute.position %}
INNER JOIN {{ ("ppdt_%s" % lot) | ident }} AS {{ lot | ident }}
    ON {{ (lot, "code") | ident }} = face.{{ attribute.code | ident }}
INNER JOIN {{ ("ppdt_%s" % held) | ident }} AS {{ held | ident }}
    ON {{ (held, "lot_id") | ident }} = {{ (lot, "lot_id") | ident }}
{% endfor %};
