-- engine/commit.sql: make a transaction's work visible.
COMMIT
