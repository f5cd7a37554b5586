{#- form/read_csv.sql: a CSV file, or a glob of them, as a relation. Wants: path. -#}
read_csv({{ path | literal }})
