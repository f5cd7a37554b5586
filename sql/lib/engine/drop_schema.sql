-- lib/engine/drop_schema.sql: remove a schema of ours with all that is in it.
DROP SCHEMA IF EXISTS {{ name | ident }} CASCADE
