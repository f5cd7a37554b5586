-- lib/engine/make_view.sql: keep a step as a view; `secure` hides what lies below from a reader's filter.
CREATE {% if replace %}OR REPLACE {% endif %}{% if secure %}SECURE {% endif %}VIEW {{ name | ident }} AS
{{ body }}
