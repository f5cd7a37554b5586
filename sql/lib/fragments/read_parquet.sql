{#- lib/fragments/read_parquet.sql: a Parquet file, or a glob of them, as a relation. Wants: path. -#}
read_parquet({{ path | literal }})
