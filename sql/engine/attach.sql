-- engine/attach.sql: open another database file under a name of ours.
ATTACH {{ path | literal }} AS {{ name | ident }}{% if read_only %} (READ_ONLY){% else %} (READ_WRITE){% endif %}

