"""Where a run takes place: what it reads from, checks first, and publishes to."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TextIO

import duckdb

from ppdt_db.catalog import Catalog
from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.methods.contract import Method
from ppdt_db.policy import Policy, Roles
from ppdt_db.publish import Order, Publisher
from ppdt_db.publish_duckdb import DuckPublisher
from ppdt_db.request import Request, check_request
from ppdt_db.source import Given, Source, opened, stage


class Site(Protocol):
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

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""
        ...

    def publisher(self, order: Order) -> Publisher:
        """What publishes a release there."""
        ...


class DuckSite:
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

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""
        Catalog(self.engine).check()
        return check_request(self.engine, source, policy, method, request)

    def publisher(self, order: Order) -> Publisher:
        """What publishes into the database, or from it into a file."""
        return DuckPublisher(self.engine, order)


def site_of(con: object, engine: str | None, sql_log: TextIO | None) -> Site:
    """Where a run takes place: by the connection, or by the engine that is named."""
    if engine not in (None, "duckdb", "spark"):
        raise RequestError(f"engine {engine}: choose duckdb or spark.")
    if engine != "spark" and isinstance(con, duckdb.DuckDBPyConnection):
        return DuckSite(con, sql_log)
    # Without Spark nothing of it is imported.
    from ppdt_db.site_spark import spark_site

    return spark_site(con, engine, sql_log)
