"""Sources: tables, views, files and frames, resolved by DuckDB's names."""
