-- lib/engine/delete.sql: remove the rows of a table whose key a step names.
DELETE FROM {{ name | ident }} WHERE {{ key | ident }} IN (
{{ body }}
)
