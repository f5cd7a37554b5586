-- audit/entity.sql: the fewest distinct entities in a class.
--
-- in:      the release with its entities, which only the audit sees
-- out:     ppdt_entity (k, k_rows)
--          one row
-- keeps:   rows without an entity count as one entity, all together
WITH class AS (
    SELECT
        {% include "form/group.sql" %},
        count(DISTINCT release.{{ entity | ident }})
            + max(CAST(release.{{ entity | ident }} IS NULL AS INTEGER)) AS n_entities,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT min(n_entities) AS k, min(n_rows) AS k_rows
FROM class;
