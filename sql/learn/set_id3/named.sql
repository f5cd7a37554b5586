-- learn/set_id3/named.sql: the distinct sets of a column as values of their own, under one name each.
--
-- in:      ppdt_read_<i> (shown, members, has_null)
-- out:     ppdt_named_<i> (code, value, name)
--          one row per set as it is shown; code and name are the same for equal sets
-- keeps:   codes count up from 0 in the order of the names; a set that nothing is known of has no name and
--          comes first; a name is the JSON list of the members' texts, NULL first, then by their bytes
-- paper:   Shao, Beckford, section IV A
WITH named AS (
    SELECT
        shown,
        CASE WHEN members IS NOT NULL THEN CAST(to_json(
            list_concat(CASE WHEN has_null THEN [NULL] ELSE [] END, members)
        ) AS VARCHAR) COLLATE "binary" END AS name
    FROM {{ feature.table | ident }}
)

SELECT
    CAST(dense_rank() OVER (ORDER BY name ASC NULLS FIRST) - 1 AS INTEGER) AS code,
    shown AS value,
    name
FROM named;
