"""Trees that are k-anonymous themselves, and the verification of other trees."""
