"""User requests: column roles, hierarchies, and accepted weaker guarantees."""
