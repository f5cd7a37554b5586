"""The backend of a run: its engine, and how it opens sources."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TextIO, TypeAlias

import duckdb

from ppdt_db.engine import ENGINES, DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.source.source import Source, SourceLike, opened, stage

if TYPE_CHECKING:
    from ppdt_db.source.spark import SparkBackend

Backend: TypeAlias = "DuckBackend | SparkBackend"


class DuckBackend:
    """The backend on a DuckDB connection of the caller."""

    def __init__(self, con: duckdb.DuckDBPyConnection, sql_log: TextIO | None) -> None:
        self.engine = DuckEngine(con, sql_log)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Make the run interruptible, and clean up when it ends."""
        with interruptible(self.engine.con), self.engine.cleared():
            yield

    def opened(self, given: SourceLike) -> AbstractContextManager[Source]:
        """Open the source, readable while the block lasts."""
        return opened(self.engine, given)

    def stage(self, source: Source) -> Source:
        """Return the source read once, where a second reading could return other rows."""
        return stage(self.engine, source)


def backend_of(con: object, engine: str | None, sql_log: TextIO | None) -> Backend:
    """Return the backend for a connection, or for a named engine."""
    if is_duckdb(con, engine):
        return DuckBackend(con, sql_log)  # type: ignore[arg-type]
    # Import Spark only when it is needed.
    from ppdt_db.source.spark import SparkBackend

    return SparkBackend.of(con, engine, sql_log)


def is_duckdb(con: object, engine: str | None) -> bool:
    """Return whether a run takes place in DuckDB."""
    if engine not in (None, *ENGINES):
        raise RequestError(f"engine {engine}: choose one of {', '.join(ENGINES)}.")
    is_connection = isinstance(con, duckdb.DuckDBPyConnection)
    if engine == "duckdb" and not is_connection:
        raise RequestError(
            f"engine duckdb: expected a DuckDB connection, got a {type(con).__name__}."
        )
    return is_connection and engine != "spark"
