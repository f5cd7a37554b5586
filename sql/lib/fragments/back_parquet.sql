{#- lib/fragments/back_parquet.sql: a Parquet file that we wrote. Wants: path. -#}
read_parquet({{ path | literal }}, hive_partitioning = FALSE)
