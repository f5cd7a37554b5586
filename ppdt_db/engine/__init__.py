"""The only place that executes."""

from ppdt_db.engine.contract import Engine
from ppdt_db.engine.duckdb import DuckEngine, connect, only_duckdb

ENGINES = ("duckdb", "spark")

__all__ = ["ENGINES", "DuckEngine", "Engine", "connect", "only_duckdb"]
