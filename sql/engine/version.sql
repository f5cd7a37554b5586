-- engine/version.sql: the engine's version.
SELECT version() AS version
