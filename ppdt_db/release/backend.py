"""Backends: the database or Spark session that a run takes place and is published in."""

from typing import TYPE_CHECKING, TextIO, TypeAlias

from ppdt_db.policy.roles import Roles
from ppdt_db.release.catalog import Catalog
from ppdt_db.release.publish import Publisher
from ppdt_db.release.publish_duckdb import DuckPublisher
from ppdt_db.release.record import CatalogRecord
from ppdt_db.release.request import Order, Request, check_request
from ppdt_db.release.stages import Run
from ppdt_db.source.backend import DuckBackend, is_duckdb
from ppdt_db.source.source import Source

if TYPE_CHECKING:
    from ppdt_db.release.spark_checks import SparkReleaseBackend

ReleaseBackend: TypeAlias = "DuckReleaseBackend | SparkReleaseBackend"


class DuckReleaseBackend(DuckBackend):
    """The caller's DuckDB connection as a backend."""

    def placed(self, request: Request) -> Request:
        """Return the request with the full name under which DuckDB creates the release."""
        return request.placed(self.engine)

    def check(self, source: Source, order: Order) -> tuple[Roles, int]:
        """Return the roles and the number of rows; raise one error that lists every fault."""
        request = order.request
        Catalog(self.engine, request.path[0] if request.path else None).check()
        return check_request(self.engine, source, order)

    def record(self, order: Order) -> CatalogRecord:
        """Return the record of a run in the catalog of its database."""
        return CatalogRecord(self.engine, order.request)

    def publisher(self, run: Run) -> Publisher:
        """Return the publisher into this database, or from it into a file."""
        return DuckPublisher(self.engine, run)


def release_backend_of(con: object, engine: str | None, sql_log: TextIO | None) -> ReleaseBackend:
    """Return the backend for a connection, or for the engine named."""
    if is_duckdb(con, engine):
        return DuckReleaseBackend(con, sql_log)  # type: ignore[arg-type]
    # Imported only here, so that ppdt_db works without pyspark.
    from ppdt_db.release.spark_checks import SparkReleaseBackend

    return SparkReleaseBackend.of(con, engine, sql_log)
