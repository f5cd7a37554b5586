"""The only place that executes."""

from ppdt_db.engine.duckdb import DuckEngine, connect
from ppdt_db.engine.limits import Limits, session

__all__ = ["DuckEngine", "Limits", "connect", "session"]
