-- engine/copy_csv.sql: write the rows of a step to a CSV file.
COPY (
{{ body }}
) TO {{ path | literal }} (FORMAT csv, HEADER TRUE)
