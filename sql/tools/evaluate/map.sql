-- tools/evaluate/map.sql: the label that a release shows for each value of an attribute.
--
-- in:      the part that was released (number); the release (number)
-- out:     ppdt_map (value, label)
--          one row per value and label that meet in a row
SELECT DISTINCT
    train.{{ column | ident }} AS value,
    release.{{ column | ident }} AS label
FROM {{ source }} AS train
INNER JOIN {{ release }} AS release ON release.{{ number | ident }} = train.{{ number | ident }};
