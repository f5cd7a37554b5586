"""Decision trees in the database: grow, prune, predict, and convert them."""
