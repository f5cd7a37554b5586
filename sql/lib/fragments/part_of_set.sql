{#- lib/fragments/part_of_set.sql: what one member of a set gets of a unit's weight; the last takes what does
not divide. Wants: nothing. -#}
tested.weight // part.n_members + CASE WHEN part.place = part.n_members THEN tested.weight % part.n_members ELSE 0 END
{#- -#}
