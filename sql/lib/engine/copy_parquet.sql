-- lib/engine/copy_parquet.sql: write the rows of a step to a Parquet file.
COPY (
{{ body }}
) TO {{ path | literal }} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)
