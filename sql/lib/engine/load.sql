-- lib/engine/load.sql: load an extension that is installed.
LOAD {{ name | ident }}
