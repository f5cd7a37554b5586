-- lib/engine/append.sql: add the rows of a step to a table.
INSERT INTO {{ name | ident }}
{{ body }}
