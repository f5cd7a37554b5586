{#- lib/fragments/secret.sql: what stands in a script for a parameter that no script may hold. Wants: name. -#}
coalesce(getvariable({{ name | literal }}), error({{ ("SET VARIABLE " ~ name ~ " first") | literal }}))
