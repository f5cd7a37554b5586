-- methods/datafly/group.sql: the classes at the present levels.
--
-- in:      ppdt_generalized (n_rows, q<i>)
-- out:     ppdt_group (group_id, n_rows, q<i>)
--          one row per combination that occurs
WITH combination AS (
    SELECT CAST(sum(n_rows) AS BIGINT) AS n_rows
    {%- for attribute in attributes %}, {{ attribute.code | ident }}{% endfor %}

    FROM ppdt_generalized
    GROUP BY {% for attribute in attributes %}{{ attribute.code | ident }}{{ comma(loop) }}{% endfor %}

)

SELECT
    CAST(row_number() OVER (
        ORDER BY {% for attribute in attributes %}{{ attribute.code | ident }} ASC{{ comma(loop) }}{% endfor %}

    ) - 1 AS INTEGER) AS group_id,
    n_rows
    {%- for attribute in attributes %}, {{ attribute.code | ident }}{% endfor %}

FROM combination;
