-- engine/transaction.sql: the number of the current transaction; outside of one, each statement has its own.
SELECT txid_current() AS transaction_id
