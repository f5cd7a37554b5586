-- engine/rollback.sql: undo a transaction's work.
ROLLBACK
