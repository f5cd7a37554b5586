-- guard/unfit.sql: the candidates of which a side tells too much of a sensitive column.
--
-- in:      ppdt_side_share (node_id, attribute_id, at_code, kind, is_right, n_rows, n_side, n_whole, n_total,
--          n_values)
-- out:     ppdt_unfit (node_id, attribute_id, at_code)
--          one row per candidate that a model forbids
-- params:  $entropy, $recursive_c, $t, $alpha, $beta, $enhanced_beta, $delta
-- keeps:   measures are compared after rounding to 12 digits; recursive c and delta are strict bounds
-- paper:   Machanavajjhala 2007; Wong 2006; Li 2007; Cao and Karras 2012; Brickell and Shmatikov 2008
WITH side AS (
    SELECT
        node_id,
        attribute_id,
        at_code,
        TRUE
{% if guard.entropy is not none %}
        AND {% include "lib/fragments/entropy_l_diversity.sql" %}

{% endif %}
{% if guard.recursive is not none %}
        AND {% include "lib/fragments/recursive_cl_diversity.sql" %}

{% endif %}
{% if guard.alpha is not none %}
        AND {% include "lib/fragments/alpha_k_anonymity.sql" %}

{% endif %}
{% if guard.t is not none %}
        AND {% include "lib/fragments/t_closeness.sql" %}

{% endif %}
{% if guard.beta is not none %}
        AND {% include "lib/fragments/beta_likeness.sql" %}

{% endif %}
{% if guard.enhanced_beta is not none %}
        AND {% include "lib/fragments/enhanced_beta_likeness.sql" %}

{% endif %}
{% if guard.delta is not none %}
        AND {% include "lib/fragments/delta_disclosure.sql" %}

{% endif %}
        AS is_kept
    FROM ppdt_side_share
    GROUP BY node_id, attribute_id, at_code, kind, is_right
)

SELECT DISTINCT node_id, attribute_id, at_code
FROM side
WHERE NOT is_kept;
