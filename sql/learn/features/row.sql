-- reading/row.sql: every row of a source in the terms of its features.
--
-- in:      the source; ppdt_read_<i> (shown, lo, hi, members, has_null); the target's dictionary (code, value)
-- out:     ppdt_reading (of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>; has_null_<i>; others)
--          one row per row of the source
-- params:  $inner_pad, $outer_pad, $by_column
-- keeps:   an interval or a set is NULL where nothing is known; intervals are DOUBLEs, from the features'
--          origins on, unless all has to be exact
SELECT
{% for feature in features %}
{% set read = "read_%d" % feature.position %}
{% if feature.kind == "ordered" %}
{% for end in ("lo", "hi") %}
    {% if is_exact and feature.ground is not none %}{{ (read, end) | ident }}{% else %}{% with number = (read, end) | ident %}{% include "form/coordinate.sql" %}{% endwith %}{% endif %} AS {{ ("%s_%d" % (end, feature.position)) | ident }},
{% endfor %}
{% else %}
    {{ read | ident }}.members AS {{ ("set_%d" % feature.position) | ident }},
{% endif %}
    {{ read | ident }}.has_null AS {{ ("has_null_%d" % feature.position) | ident }}{% if not loop.last or others %},{% endif %}

{% endfor %}
{% for other in others %}
    {% include "form/other.sql" %} AS {{ other.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM {{ source }} AS source
{% for feature in features %}
{% set read = "read_%d" % feature.position %}
INNER JOIN {{ ("ppdt_" ~ read) | ident }} AS {{ read | ident }}
    ON {{ read | ident }}.shown IS NOT DISTINCT FROM {% include "form/appears.sql" %}

{% endfor %}
{% for coded in dictionaries %}
INNER JOIN {{ coded.dictionary | ident }} AS {{ coded.dictionary_alias | ident }}
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM
    {% with table = "source", attribute = coded %}{% include "form/comparable.sql" %}{% endwith %}

{% endfor %};
