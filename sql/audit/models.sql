-- audit/models.sql: what the whole release keeps of one sensitive column: its worst class, model by model.
--
-- in:      ppdt_model_<i> (distinct_l, entropy_l, recursive_c, alpha, t_equal, basic_beta, enhanced_beta,
--          n_beyond_beta, delta_disclosure, delta_disclosure_ignoring_absent)
-- out:     ppdt_models (distinct_l, entropy_l, recursive_c, alpha, t_equal, basic_beta, enhanced_beta,
--          enhanced_beta_unsatisfiable, delta_disclosure, delta_disclosure_ignoring_absent)
--          one row
SELECT
    min(distinct_l) AS distinct_l,
    min(entropy_l) AS entropy_l,
    max(recursive_c) AS recursive_c,
    max(alpha) AS alpha,
    max(t_equal) AS t_equal,
    max(basic_beta) AS basic_beta,
    max(enhanced_beta) AS enhanced_beta,
    CAST(coalesce(sum(n_beyond_beta), 0) AS BIGINT) AS enhanced_beta_unsatisfiable,
    max(delta_disclosure) AS delta_disclosure,
    max(delta_disclosure_ignoring_absent) AS delta_disclosure_ignoring_absent
FROM {{ classes | ident }};
