-- encode/cell.sql: the distinct combinations of codes, one narrow column for each attribute.
--
-- in:      ppdt_key (cell_id, word_<w>, n_rows)
-- out:     ppdt_cell (cell_id, n_rows, q<i>)
--          one row per combination of codes that occurs
SELECT
    cell_id,
    CAST(n_rows AS INTEGER) AS n_rows,
{% for attribute in attributes %}
    CAST(
        ({{ attribute.word | ident }} >> {{ attribute.shift | literal }}) & {{ attribute.mask | literal }}
        AS {{ attribute.code_type }}
    ) AS {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_key;
