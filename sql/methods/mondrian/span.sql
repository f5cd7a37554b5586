-- methods/mondrian/span.sql: how far each open node reaches in every attribute.
--
-- in:      ppdt_open (node_id, n_rows, word_<w>)
-- out:     ppdt_span (node_id, n_rows, lo_<o>, hi_<o>, finite_<o>, n_values_<c>)
--          one row per open node; lo and hi for the ordered attributes (finite: lo of the finite values), n_values
--          for the others
WITH coded AS (
    SELECT
        open.node_id,
        open.n_rows,{% include "lib/fragments/codes.sql" %}

    FROM ppdt_open AS open
)

SELECT
    node_id,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
{% include "lib/fragments/span.sql" %}

FROM coded
GROUP BY node_id;
