-- audit/domain_size.sql: the counts of an attribute's domain.
--
-- in:      ppdt_audit_domain (n_values, n_nulls)
-- out:     ppdt_domain_size (n_values, n_nulls)
--          one row
SELECT n_values, n_nulls
FROM ppdt_audit_domain;
