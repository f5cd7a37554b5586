-- lib/engine/copy_csv.sql: write the rows of a step to a CSV file. Every value stands in quotes, and NULL does
-- not, so that no value can be taken for a delimiter, a quote or NULL by who reads it.
COPY (
{{ body }}
) TO {{ path | literal }} (FORMAT csv, HEADER TRUE, DELIM ',', QUOTE '"', ESCAPE '"', FORCE_QUOTE *)
