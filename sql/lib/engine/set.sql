-- lib/engine/set.sql: change one setting.
SET {{ name | ident }} = {{ value | literal }}
