"""The ground of a run: what executes there, and how what it reads is found."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TextIO

import duckdb

from ppdt_db.engine import ENGINES, DuckEngine, Engine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.source import Given, Source, opened, stage


class Ground(Protocol):
    """A database, or a cluster."""

    @property
    def engine(self) -> Engine:
        """What executes there."""
        ...

    def entered(self) -> AbstractContextManager[None]:
        """For as long as the run lasts: it can be interrupted, and cleans up after itself."""
        ...

    def opened(self, given: Given) -> AbstractContextManager[Source]:
        """The source, readable for as long as the block lasts."""
        ...

    def stage(self, source: Source) -> Source:
        """The source read once, where a second reading could give other rows."""
        ...


class DuckGround:
    """A DuckDB connection of the caller's."""

    def __init__(self, con: duckdb.DuckDBPyConnection, sql_log: TextIO | None) -> None:
        self.engine = DuckEngine(con, sql_log)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """For as long as the run lasts: it can be interrupted, and cleans up after itself."""
        with interruptible(self.engine.con), self.engine.cleared():
            yield

    def opened(self, given: Given) -> AbstractContextManager[Source]:
        """The source, readable for as long as the block lasts."""
        return opened(self.engine, given)

    def stage(self, source: Source) -> Source:
        """Read a source once into a temporary table, unless it can be read in place."""
        return stage(self.engine, source)


def ground_of(con: object, engine: str | None, sql_log: TextIO | None) -> Ground:
    """Where a run takes place: by the connection, or by the engine that is named."""
    if is_duckdb(con, engine):
        return DuckGround(con, sql_log)  # type: ignore[arg-type]
    # Without Spark nothing of it is imported.
    from ppdt_db.ground_spark import SparkGround

    return SparkGround.of(con, engine, sql_log)


def is_duckdb(con: object, engine: str | None) -> bool:
    """Whether a run takes place in DuckDB."""
    if engine not in (None, *ENGINES):
        raise RequestError(f"engine {engine}: choose one of {', '.join(ENGINES)}.")
    is_connection = isinstance(con, duckdb.DuckDBPyConnection)
    if engine == "duckdb" and not is_connection:
        raise RequestError(
            "engine duckdb: a run takes place on a DuckDB connection; this is a "
            f"{type(con).__name__}."
        )
    return is_connection and engine != "spark"
