-- utility/covered.sql: the pieces of labels as the codes that they cover.
--
-- in:      ppdt_label_piece (label_id, n_rows, lo, hi, word, is_all); ppdt_axis_value (code, number, word)
-- out:     ppdt_covered (label_id, n_rows, lo_code, hi_code)
--          one row per piece; both ends count
SELECT piece.label_id, piece.n_rows, low.code AS lo_code, high.code AS hi_code
FROM ppdt_label_piece AS piece
INNER JOIN ppdt_axis_value AS low
    ON low.number IS NOT DISTINCT FROM piece.lo AND low.word IS NOT DISTINCT FROM piece.word
INNER JOIN ppdt_axis_value AS high
    ON high.number IS NOT DISTINCT FROM piece.hi AND high.word IS NOT DISTINCT FROM piece.word
WHERE NOT piece.is_all
UNION ALL
SELECT piece.label_id, piece.n_rows, 0, (SELECT max(code) FROM ppdt_axis_value)
FROM ppdt_label_piece AS piece
WHERE piece.is_all;
