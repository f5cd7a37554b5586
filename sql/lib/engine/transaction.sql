-- lib/engine/transaction.sql: the number of the current transaction, whatever database is the current one;
-- outside of one, each statement has its own.
SELECT current_transaction_id() AS transaction_id
