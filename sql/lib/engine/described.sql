-- lib/engine/described.sql: a relation whose columns are asked for, without a row of it.
SELECT * FROM {{ relation }} WHERE FALSE
