-- audit/background_before.sql: what an attacker must know to find the people of the original: all of their values.
--
-- in:      ppdt_subject_before (class_id); ppdt_domain_<i> (value_bits)
-- out:     ppdt_background_before (class_id, big, n_known)
--          one row per combination
-- paper:   Yang, Wang, Hu, Li 2019, definition 1
WITH whole AS (
    SELECT CAST(sum(value_bits) AS BIGINT) AS big, count(value_bits) AS n_known
    FROM (
{% for share in shares %}
        SELECT value_bits FROM {{ share.domain | ident }}
        {%+ if not loop.last %}UNION ALL{% endif %}

{% endfor %}
    ) AS domain
)

SELECT subject.class_id, whole.big, whole.n_known
FROM ppdt_subject_before AS subject
CROSS JOIN whole;
