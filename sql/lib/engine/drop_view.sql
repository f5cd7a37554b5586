-- lib/engine/drop_view.sql: remove a view.
DROP VIEW IF EXISTS {{ name | ident }}
