{#- lib/fragments/part.sql: the part of a unit's weight that a branch gets where the value is missing; rounded
so that the parts add up. Wants: share. -#}
CAST(CAST(placed.weight AS HUGEINT) * ({{ share | ident }}.weight_before + {{ share | ident }}.weight)
        // {{ share | ident }}.weight_known
        - CAST(placed.weight AS HUGEINT) * {{ share | ident }}.weight_before
        // {{ share | ident }}.weight_known AS BIGINT)
