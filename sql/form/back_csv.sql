{#- form/back_csv.sql: a CSV file, its cells as the text they are. Wants: path. -#}
read_csv({{ path | literal }}, header = TRUE, all_varchar = TRUE, delim = ',', quote = '"', escape = '"', hive_partitioning = FALSE)
