-- apply/read_extent.sql: how far every class reaches, read.
--
-- in:      the file of rules
-- out:     ppdt_reach (class_id, low_<o>, high_<o>, words_<o>, members_<c>)
--          one row per class
SELECT
    class_id,
{% for reach in reaches %}
{% if reach.is_set %}
    {{ reach.members | ident }}
{%- else %}
    {{ reach.low | ident }},
    {{ reach.high | ident }},
    {{ reach.words | ident }}
{%- endif %}{{ comma(loop) }}
{% endfor %}
FROM {{ kept | ident }};
