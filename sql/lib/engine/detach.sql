-- lib/engine/detach.sql: close a database file that was opened under a name of ours.
DETACH {{ name | ident }}
