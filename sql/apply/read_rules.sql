-- apply/read_rules.sql: what a file of rules says of itself, read.
--
-- in:      the file of rules
-- out:     what is read (format, about)
--          one row
SELECT format, about
FROM {{ kept | ident }};
