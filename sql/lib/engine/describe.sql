-- lib/engine/describe.sql: the columns and types of a relation.
DESCRIBE SELECT * FROM {{ relation }}
