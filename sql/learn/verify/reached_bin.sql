-- learn/verify/reached_bin.sql: the bins of a level where persons may end: leaves, and tests that they cannot pass, or
-- pass by all branches.
--
-- in:      ppdt_at (person_id, node_id, q<i>); ppdt_inner (node_id, attribute_id, at_code);
--          ppdt_leads (node_id, branch, child_id)
-- out:     ppdt_reached_bin (person_id, node_id)
--          one row per person and bin
SELECT here.person_id, here.node_id
FROM ppdt_at AS here
LEFT JOIN ppdt_inner AS cut ON cut.node_id = here.node_id
LEFT JOIN ppdt_leads AS leads
    ON leads.node_id = here.node_id
    AND leads.branch = {% if public %}{% with table = "here", attributes = public %}{% include "lib/fragments/branch.sql" %}{% endwith %}{% else %}NULL{% endif %}

WHERE cut.node_id IS NULL OR (cut.attribute_id IS NOT NULL AND leads.child_id IS NULL);
