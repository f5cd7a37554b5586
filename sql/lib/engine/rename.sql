-- lib/engine/rename.sql: give a temporary table another name.
ALTER TABLE temp.{{ name | ident }} RENAME TO {{ to | ident }}
