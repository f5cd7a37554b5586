"""Where a run takes place, and where its release goes: what is checked first, what publishes."""

from typing import Protocol, TextIO

from ppdt_db.catalog import Catalog
from ppdt_db.ground import DuckGround, Ground, is_duckdb
from ppdt_db.methods.contract import Method
from ppdt_db.policy import Policy, Roles
from ppdt_db.publish import Order, Publisher
from ppdt_db.publish_duckdb import DuckPublisher
from ppdt_db.request import Request, check_request
from ppdt_db.source import Source


class Site(Ground, Protocol):
    """A database, or a cluster, that a release is made in."""

    def placed(self, request: Request) -> Request:
        """The request with the full name of its place, before a transaction begins."""
        ...

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""
        ...

    def publisher(self, order: Order) -> Publisher:
        """What publishes a release there."""
        ...


class DuckSite(DuckGround):
    """A DuckDB connection of the caller's."""

    def placed(self, request: Request) -> Request:
        """The request with the full name under which DuckDB makes the release."""
        return request.placed(self.engine)

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""
        Catalog(self.engine, request.path[0] if request.path else None).check()
        return check_request(self.engine, source, policy, method, request)

    def publisher(self, order: Order) -> Publisher:
        """What publishes into the database, or from it into a file."""
        return DuckPublisher(self.engine, order)


def site_of(con: object, engine: str | None, sql_log: TextIO | None) -> Site:
    """Where a run takes place: by the connection, or by the engine that is named."""
    if is_duckdb(con, engine):
        return DuckSite(con, sql_log)  # type: ignore[arg-type]
    # Without Spark nothing of it is imported.
    from ppdt_db.site_spark import SparkSite

    return SparkSite.of(con, engine, sql_log)
