-- lib/engine/comment.sql: note on a table of ours what made it.
COMMENT ON TABLE {{ name | ident }} IS {{ text | literal }}
