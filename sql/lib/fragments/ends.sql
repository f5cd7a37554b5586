{#- lib/fragments/ends.sql: the two ends of a range that is written as text, `[lo, hi]` or a single value, each
perhaps with `or NULL`. Where a range has no end, as the outermost bins, it is read as its other end: no value that
is known lies beyond. Wants: nothing; reads `shown`. -#}
CASE WHEN regexp_matches(shown, '^\[-inf(inity)?, .+\]( or .+)?$') THEN regexp_extract(shown, '^\[(.+), (.+)\]( or .+)?$', 2)
            WHEN regexp_matches(shown, '^\[.+, .+\]( or .+)?$') THEN regexp_extract(shown, '^\[(.+), (.+)\]( or .+)?$', 1)
            ELSE split_part(shown, ' or ', 1) END AS low,
        CASE WHEN regexp_matches(shown, '^\[.+, inf(inity)?\]( or .+)?$') THEN regexp_extract(shown, '^\[(.+), (.+)\]( or .+)?$', 1)
            WHEN regexp_matches(shown, '^\[.+, .+\]( or .+)?$') THEN regexp_extract(shown, '^\[(.+), (.+)\]( or .+)?$', 2)
            ELSE split_part(shown, ' or ', 1) END AS high
{#- -#}
