"""CSV files: their dialect, their types, and an independent count of their rows."""
