-- learn/kadet/changed_scope.sql: the scopes of which more is forbidden than before, for the driver.
--
-- in:      ppdt_forbidden (scope_id, attribute_id, from_code, upto_code);
--          ppdt_forbidden_now (scope_id, attribute_id, from_code, upto_code)
-- out:     ppdt_changed_scope (scope_id)
--          one row per scope
SELECT now.scope_id
FROM ppdt_forbidden_now AS now
ANTI JOIN ppdt_forbidden AS before
    ON before.scope_id = now.scope_id
    AND before.attribute_id = now.attribute_id
    AND before.from_code = now.from_code
    AND before.upto_code = now.upto_code
GROUP BY now.scope_id
ORDER BY now.scope_id ASC;
