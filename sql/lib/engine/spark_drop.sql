-- lib/engine/spark_drop.sql: remove a table of Spark's catalog, if it is there.
DROP TABLE IF EXISTS {{ name | ident }}
