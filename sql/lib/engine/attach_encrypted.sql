-- lib/engine/attach_encrypted.sql: open an encrypted database file under a name of ours.
ATTACH {{ path | literal }} AS {{ name | ident }} (ENCRYPTION_KEY {{ key | literal }}, {% if read_only %}READ_ONLY{% else %}READ_WRITE{% endif %})
