-- recode/live.sql: the source through frozen labels, class by class, each only while it is safe.
--
-- in:      ppdt.live_<run>_row (word_<w>, <other>); ppdt.live_<run>_member (word_<w>, label_rank);
--          ppdt.live_<run>_label (label_rank, <label>)
-- out:     the live view (the released columns, in the source's order)
--          one row per row whose values are known and whose class has what the guard asks for
-- keeps:   the guard stands in the view itself: it is asked at every query, about the rows as they are
--          a reader's own macro cannot take part: DISTINCT and FILTER make a macro an error
-- params:  none: a view takes no parameters
WITH placed AS (
    SELECT
        member.label_rank
{%- for other in others %},
        coded.{{ other.name | ident }}
{%- endfor %}

    FROM {{ row_view | ident }} AS coded
    INNER JOIN {{ member | ident }} AS member
        ON {% for word in words %}member.{{ word.name | ident }} = coded.{{ word.name | ident }}{% if not loop.last %} AND {% endif %}{% endfor %}

),

safe AS (
    SELECT label_rank
    FROM placed
    GROUP BY label_rank
    HAVING
{% if entity %}
        (count(DISTINCT {{ entity | ident }}) >= {{ k | literal }} OR (
            count(DISTINCT {{ entity | ident }}) >= {{ (k - 1) | literal }} AND count(*) FILTER (WHERE {{ entity | ident }} IS NULL) >= 1
        ))
{% else %}
        count(*) FILTER (WHERE TRUE) >= {{ k | literal }}
{% endif %}
{% for name in sensitive %}
        AND (count(DISTINCT {{ name | ident }}) >= {{ l | literal }} OR (
            count(DISTINCT {{ name | ident }}) >= {{ (l - 1) | literal }} AND count(*) FILTER (WHERE {{ name | ident }} IS NULL) >= 1
        ))
{% endfor %}
)

SELECT
{% for column in columns %}
    {%+ if column.table == "shown" %}label{% else %}placed{% endif %}.{{ column.inside | ident }} AS {{ column.released | ident }}{{ comma(loop) }}
{% endfor %}
FROM placed
INNER JOIN safe ON safe.label_rank = placed.label_rank
INNER JOIN {{ label | ident }} AS label ON label.label_rank = placed.label_rank
ORDER BY
    placed.label_rank ASC
{%- for other in others if other.name != entity %},
    {%+ with table = "placed" %}{% include "lib/fragments/in_order.sql" %}{% endwith %}
{%- endfor %};
