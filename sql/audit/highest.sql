-- audit/highest.sql: the highest of one measure over all classes.
--
-- in:      a relation of classes
-- out:     ppdt_highest (highest)
--          one row
SELECT max(class.{{ measure | ident }}) AS highest
FROM {{ relation | ident }} AS class;
