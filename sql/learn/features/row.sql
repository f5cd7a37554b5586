-- learn/features/row.sql: every row of a source in the terms of its features.
--
-- in:      the source; ppdt_read_<i> (shown, lo, hi, members, has_null); the target's dictionary (code, value)
-- out:     ppdt_reading (of ordered features lo_<i> and hi_<i>, of nominal ones set_<i>; has_null_<i>; others)
--          one row per row of the source
-- params:  $inner_pad, $outer_pad, $by_column
-- keeps:   an interval or a set is NULL where nothing is known; intervals are DOUBLEs, from the features'
--          origins on, unless all has to be exact
SELECT
{% for feature in features %}
{% if feature.kind == "ordered" %}
{% for end in ("lo", "hi") %}
    {%+ if is_exact and feature.axis_origin is not none %}{{ feature.read }}.{{ end | ident }}{% else %}{% with number = ("read_%d" % feature.position, end) | ident %}{% include "lib/fragments/coordinate.sql" %}{% endwith %}{% endif %} AS {{ ("%s_%d" % (end, feature.position)) | ident }},
{% endfor %}
{% else %}
    {{ feature.read }}.members AS {{ feature.set }},
{% endif %}
    {{ feature.read }}.has_null AS {{ feature.null_column }}{% if not loop.last or others %},{% endif %}

{% endfor %}
{% for other in others %}
    {%+ include "lib/fragments/other.sql" %} AS {{ other.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source
{% for feature in features %}
INNER JOIN {{ feature.table | ident }} AS {{ feature.read }}
    ON {{ feature.read }}.shown IS NOT DISTINCT FROM {% include "lib/fragments/appears.sql" %}

{% endfor %}
{% for coded in dictionaries %}
INNER JOIN {{ coded.dictionary | ident }} AS {{ coded.dictionary_alias | ident }}
    ON {{ coded.dictionary_alias | ident }}.value IS NOT DISTINCT FROM
    {%+ with table = "source", attribute = coded %}{% include "lib/fragments/comparable.sql" %}{% endwith %}

{% endfor %};
