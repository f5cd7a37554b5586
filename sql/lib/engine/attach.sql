-- lib/engine/attach.sql: open another database file under a name of ours.
ATTACH {{ path | literal }} AS {{ name | ident }}{% if read_only %} (TYPE duckdb, READ_ONLY){% else %} (TYPE duckdb, READ_WRITE){% endif %}

