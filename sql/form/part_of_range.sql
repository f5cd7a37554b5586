{#- form/part_of_range.sql: the pieces of a range on a side of a cut (0: unknown, 1: at or below, 2: above)
and their weight; the last takes what does not divide. Wants: attribute. -#}
CASE way.side
            WHEN 0 THEN 0
            WHEN 1 THEN whole.lo | ((greatest(whole.n_left, 1) - 1) << {{ attribute.value_bits | literal }})
            ELSE (whole.lo + whole.n_left) | (greatest(whole.n_values - whole.n_left - 1, 0) << {{ attribute.value_bits | literal }})
        END AS part_code,
        CASE way.side
            WHEN 0 THEN whole.n_null * (whole.weight // (whole.n_values + whole.n_null))
            WHEN 1 THEN CASE
                WHEN whole.n_left < whole.n_values THEN whole.n_left * (whole.weight // (whole.n_values + whole.n_null))
                ELSE whole.weight - whole.n_null * (whole.weight // (whole.n_values + whole.n_null)) END
            WHEN 2 THEN CASE
                WHEN whole.n_left < whole.n_values THEN
                    whole.weight - (whole.n_left + whole.n_null) * (whole.weight // (whole.n_values + whole.n_null))
                ELSE 0 END
        END AS part_weight
{#- -#}
