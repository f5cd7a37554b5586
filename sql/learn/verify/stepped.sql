-- learn/verify/stepped.sql: one step down: by all branches of a private test, by one of a public test; what is
-- missing goes down all branches where a tree shares it out.
--
-- in:      ppdt_at (person_id, node_id, q<i>); ppdt_inner (node_id, attribute_id, at_code);
--          ppdt_leads (node_id, branch, child_id)
-- out:     ppdt_stepped (person_id, node_id, q<i>)
--          one row per person and node that it may reach
SELECT
    here.person_id,
    leads.child_id AS node_id{% for attribute in public %},
    here.{{ attribute.code | ident }}{% endfor %}

FROM ppdt_at AS here
INNER JOIN ppdt_inner AS cut ON cut.node_id = here.node_id
INNER JOIN ppdt_leads AS leads ON leads.node_id = here.node_id
WHERE cut.attribute_id IS NULL
{% if public %}
    OR leads.branch = {% with table = "here", attributes = public %}{% include "lib/fragments/branch.sql" %}{% endwith %}

{% if is_shared_out %}
    OR {% with table = "here", attributes = public %}{% include "lib/fragments/branch.sql" %}{% endwith %} = -1
{% endif %}
{% endif %};
