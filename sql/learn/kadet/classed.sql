-- learn/kadet/classed.sql: the rows that a tree is learnt from: those that have a class.
--
-- in:      the source
-- out:     ppdt_classed (every column of the source)
--          one row per row of the source with a class
SELECT {% for column in columns %}source.{{ column | ident }}{{ comma(loop) }} {% endfor %}

FROM {{ source }} AS source
WHERE {{ ("source", class_column) | ident }} IS NOT NULL;
