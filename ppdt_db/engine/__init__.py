"""The only package that executes SQL."""

from ppdt_db.engine.base import Engine
from ppdt_db.engine.connection import Limits, connect, named, session
from ppdt_db.engine.duckdb import DuckEngine, only_duckdb
from ppdt_db.engine.isolated import apart
from ppdt_db.engine.locks import alone, lent

ENGINES = ("duckdb", "spark")

__all__ = [
    "ENGINES", "DuckEngine", "Engine", "Limits", "alone", "apart", "connect", "lent", "named",
    "only_duckdb", "session",
]  # fmt: skip
