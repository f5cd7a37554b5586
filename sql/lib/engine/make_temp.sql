-- lib/engine/make_temp.sql: keep the rows of a step as a temporary table.
CREATE OR REPLACE TEMP TABLE {{ name | ident }} AS
{{ body }}
