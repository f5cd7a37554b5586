-- lib/engine/drop_table.sql: remove a table.
DROP TABLE IF EXISTS {{ name | ident }}
