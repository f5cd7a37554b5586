"""The only place that executes."""

from ppdt_db.engine.alone import alone, lent
from ppdt_db.engine.apart import apart
from ppdt_db.engine.contract import Engine
from ppdt_db.engine.duckdb import DuckEngine, only_duckdb
from ppdt_db.engine.limits import Limits, connect, named, session

ENGINES = ("duckdb", "spark")

__all__ = [
    "ENGINES", "DuckEngine", "Engine", "Limits", "alone", "apart", "connect", "lent", "named",
    "only_duckdb", "session",
]  # fmt: skip
