"""Apply the rules of a release to new rows: check them, assign them to its classes, recode them."""
