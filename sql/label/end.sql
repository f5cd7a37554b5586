-- label/end.sql: the ends of the ranges that classes show in one column.
--
-- in:      ppdt_label (class_id, <label>)
-- out:     what is read (end_text)
--          one row per end that some class shows
SELECT unnest([
    regexp_extract(label.{{ label.name | ident }}, '^\[(.+), (.+)\]( or .+)?$', 1),
    regexp_extract(label.{{ label.name | ident }}, '^\[(.+), (.+)\]( or .+)?$', 2)
]) AS end_text
FROM (SELECT DISTINCT {{ label.name | ident }} FROM ppdt_label) AS label;
