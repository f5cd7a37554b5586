-- learn/set_id3/frequency.sql: how many rows a member of a column has in sets of each size.
--
-- in:      ppdt_content (shown, n_rows, code, n_members)
-- out:     ppdt_frequency (code, n_members, n_rows)
--          one row per (code, n_members)
-- keeps:   a member counts n_rows / n_members of each: whole numbers, which the driver adds up exactly
SELECT code, n_members, CAST(sum(n_rows) AS BIGINT) AS n_rows
FROM ppdt_content
GROUP BY code, n_members
ORDER BY code ASC, n_members ASC;
