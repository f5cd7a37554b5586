{#- lib/fragments/divides.sql: whether a split parts a span: some of its rows lie on each side. Wants: cut, an alias with at_code;
the aliases extent (lo_code, hi_code) and attribute (n_special). -#}
extent.hi_code >= attribute.n_special
    AND CASE
        WHEN extent.lo_code < attribute.n_special OR {{ cut | ident }}.at_code IS NULL
            THEN extent.lo_code < extent.hi_code
        ELSE extent.lo_code <= {{ cut | ident }}.at_code AND extent.hi_code > {{ cut | ident }}.at_code
    END
