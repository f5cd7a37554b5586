-- lib/engine/spark_rename.sql: give a table of Spark's catalog another name.
ALTER TABLE {{ name | ident }} RENAME TO {{ to | ident }}
