-- engine/begin.sql: start a transaction.
BEGIN TRANSACTION
