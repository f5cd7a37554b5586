"""A decision tree as a value, and the formats in which it is written."""
