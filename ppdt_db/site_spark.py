"""A run on Spark: the sources that it reads, and what is refused there before any work."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ppdt_db.coded import BITS_OF_WORD
from ppdt_db.engine.spark import SparkEngine, duck_type, spark_session
from ppdt_db.errors import RequestError
from ppdt_db.methods.contract import Method
from ppdt_db.names import fold, ident, is_reserved
from ppdt_db.policy import Policy, Roles, raise_all, resolve
from ppdt_db.publish import Order, Publisher
from ppdt_db.publish_spark import SparkPublisher, exists, is_inside
from ppdt_db.request import Request, common_faults
from ppdt_db.source import STAGED, Given, Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GLOBAL = "global_temp"
METHODS = {"mondrian": ("balanced", "median", "ncp"), "kactus": ()}


class SparkSite:
    """A Spark session of the caller's."""

    def __init__(self, engine: SparkEngine) -> None:
        self.engine = engine
        self._read: DataFrame | None = None

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Cleans up at the end; Spark itself lets Ctrl-C stop what runs."""
        with self.engine.cleared():
            yield

    @contextmanager
    def opened(self, given: Given) -> Iterator[Source]:
        """The source, readable for as long as the block lasts."""
        frame, kind, title = self._found(given)
        self._read = frame
        # A global view is the one door between the caller's session and ours.
        name = f"ppdt_{secrets.token_hex(8)}"
        frame.createGlobalTempView(name)
        try:
            columns = {
                entry.name: duck_type(entry.dataType.simpleString()) for entry in frame.schema
            }
            yield Source(
                kind=kind,  # type: ignore[arg-type]
                title=title,
                relation=ident((GLOBAL, name)),
                columns=columns,
            )
        finally:
            self.engine.caller.catalog.dropGlobalTempView(name)

    def _found(self, given: Given) -> "tuple[DataFrame, str, str]":
        from pyspark.errors import PySparkException
        from pyspark.sql import DataFrame

        if isinstance(given, DataFrame):
            return given, "frame", "Spark frame"
        if not isinstance(given, str | Path):
            raise RequestError(
                f"a source of type {type(given).__name__} cannot be read by Spark. Give the name "
                "of a table or view, a path to Parquet, or a frame of the session."
            )
        name, caller = str(given), self.engine.caller
        if is_reserved(name.rpartition(".")[2]):
            raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Rename it.')
        try:
            if _is_name(name) and caller.catalog.tableExists(name):
                table = caller.catalog.getTable(name)
                is_stored = table.tableType in ("MANAGED", "EXTERNAL")
                return caller.table(name), "table" if is_stored else "view", name
            if not fold(name).rstrip("/").endswith((".parquet", ".pq")) and "*" not in name:
                raise RequestError(
                    f'source "{name}": there is no such table or view, and it is no path to '
                    "Parquet (its ending is neither .parquet nor .pq)."
                )
            title = name.rstrip("/").rpartition("/")[2]
            return caller.read.parquet(name), "parquet", title
        except PySparkException as error:
            reason = error.getCondition() or type(error).__name__
            raise RequestError(f'source "{name}" cannot be read by Spark ({reason}).') from None

    def stage(self, source: Source) -> Source:
        """Checkpoint a source, unless it is stored where a second reading gives the same rows."""
        if source.kind in ("table", "parquet"):
            return source
        names = {"source": source.relation, "columns": list(source.columns)}
        self.engine.make("encode/source", names=names)
        return replace(source, relation=ident(STAGED))

    def check(
        self, source: Source, policy: Policy, method: Method, request: Request
    ) -> tuple[Roles, int]:
        """The roles and the number of rows, or one error with all faults."""
        roles, faults, open_columns = resolve(policy, source.columns)
        faults += _method_faults(method, roles)
        faults += _request_faults(request)
        faults += self._place_faults(request)
        found, n_rows = common_faults(
            self.engine, source, policy, roles, open_columns, method, request
        )
        raise_all([*faults, *found])
        return roles, n_rows

    def _place_faults(self, request: Request) -> list[str]:
        if (request.into is None) == (request.place is None):
            return ["say where the release goes: either --into TABLE or --out PATH.parquet."]
        session = self.engine.session
        if request.into is not None:
            if not _is_name(request.into) or is_reserved(request.into.rpartition(".")[2]):
                return [f'--into "{request.into}": write NAME or SCHEMA.NAME, and not ppdt_...']
            if session.catalog.tableExists(request.into) and not request.replace:
                return [f'--into "{request.into}": a table of that name exists. Add --replace.']
            return []
        place = request.place or ""
        if not fold(place).endswith(".parquet"):
            return [f"--out {place}: Spark writes Parquet here; let the path end in .parquet."]
        assert self._read is not None
        if any(is_inside(read, place) for read in self._read.inputFiles()):
            return [f"--out {place}: this holds the source itself. Take another path."]
        if exists(session, place) and not request.replace:
            return [f"--out {place}: this exists. Add --replace, or remove it first."]
        return []

    def publisher(self, order: Order) -> Publisher:
        """What publishes a table, or Parquet."""
        return SparkPublisher(self.engine, order)


def spark_site(con: object, engine: str | None, sql_log: TextIO | None) -> SparkSite:
    """The site of a session; without one, of the session of this process."""
    if con is None and engine == "spark":
        con = spark_session()
    if type(con).__name__ != "SparkSession" or not hasattr(con, "sparkContext"):
        kinds = "a DuckDB connection, or a SparkSession that is not a remote one"
        raise RequestError(f"a run takes place in {kinds}; this is a {type(con).__name__}.")
    return SparkSite(SparkEngine(con, sql_log))  # type: ignore[arg-type]


def _is_name(name: str) -> bool:
    """Whether a text can be a table's name: SCHEMA.NAME or NAME, no path."""
    return "/" not in name and not fold(name).endswith((".parquet", ".pq"))


def _method_faults(method: Method, roles: Roles) -> list[str]:
    """What a method cannot do on Spark, by name."""
    if method.name not in METHODS:
        return [f"method {method.name} does not run on Spark; {' and '.join(METHODS)} do."]
    faults: list[str] = []
    parameters = method.parameters
    if parameters.get("relaxed"):
        faults.append("--relaxed does not run on Spark. Leave it out.")
    if parameters.get("refine"):
        faults.append("--refine does not run on Spark. Leave it out.")
    criterion = parameters.get("criterion")
    if criterion is not None and criterion not in METHODS[method.name]:
        able = ", ".join(METHODS[method.name])
        faults.append(f"criterion {criterion} does not run on Spark; {able} do.")
    if any(attribute.hierarchy is not None for attribute in roles.quasi) or roles.hierarchies:
        faults.append("hierarchies do not run on Spark. Leave --hierarchy out.")
    most = BITS_OF_WORD["BIGINT"]
    if len(roles.quasi) > most:
        faults.append(f"{len(roles.quasi)} quasi-identifiers are too many on Spark (most: {most}).")
    return faults


def _request_faults(request: Request) -> list[str]:
    faults: list[str] = []
    if request.live:
        faults.append("--live does not run on Spark: there a release is a table or Parquet.")
    if request.rules is not None:
        faults.append("--rules does not run on Spark. Leave it out.")
    return faults
