-- lib/engine/use.sql: let names without a database mean those of this one.
USE {{ name | ident }}
