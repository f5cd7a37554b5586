-- lib/engine/make_table.sql: keep the rows of a step as a table of the database.
CREATE TABLE {{ name | ident }} AS
{{ body }}
