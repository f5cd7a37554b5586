{#- form/typed_csv.sql: CSV files as a relation, each column in its type. Wants: source, columns, folders. -#}
(SELECT {% for column in columns %}{% include "form/of_csv.sql" %} AS {{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% for name in folders %}, written.{{ name | ident }}{% endfor %} FROM {{ source }} AS written)
