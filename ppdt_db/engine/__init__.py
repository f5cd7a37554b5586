"""The only place that executes."""

from ppdt_db.engine.duckdb import DuckEngine, connect

__all__ = ["DuckEngine", "connect"]
