-- apply/rules.sql: what a file of rules says of itself.
--
-- in:      nothing
-- out:     the head of the file of rules (format, about)
--          one row
-- params:  $format, $about
SELECT CAST($format AS VARCHAR) AS format, CAST($about AS VARCHAR) AS about;
