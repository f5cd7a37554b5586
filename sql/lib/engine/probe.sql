-- lib/engine/probe.sql: a view that is rolled back at once: only DuckDB knows where it would stand.
CREATE VIEW {{ name | ident }} AS SELECT 1 AS probe
