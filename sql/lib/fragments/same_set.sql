{#- lib/fragments/same_set.sql: whether a list holds exactly the members of a set, whatever their order; a NULL in the
list is no member that is counted. Wants: column, one, type_name. -#}
(list_has_all({{ column | ident }}, CAST({{ one.members | literal }} AS {{ type_name }}[]))
{#- #} AND list_has_all(CAST({{ one.members | literal }} AS {{ type_name }}[]), {{ column | ident }})
{#- #} AND list_count({{ column | ident }}) {% if one.has_null %}<{% else %}={% endif %} len({{ column | ident }}))
{#- -#}
