{#- form/as_type.sql: a person's number in the type that the label shows, NULL where that type cannot hold
it. Wants: part. -#}
CASE WHEN TRY_CAST(TRY_CAST({{ part.person | ident }} AS {{ part.as_type }}) AS {{ part.own_type }}) = {{ part.person | ident }}
        THEN TRY_CAST({{ part.person | ident }} AS {{ part.as_type }}) END
{#- -#}
