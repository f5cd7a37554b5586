-- lib/engine/make_schema.sql: the schema of the catalog.
CREATE SCHEMA IF NOT EXISTS {{ name | ident }}
