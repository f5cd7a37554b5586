"""The Spark backend of a run: a session, and the sources that it reads."""

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from ppdt_db.engine.spark.engine import SparkEngine
from ppdt_db.engine.spark.folders import escaped, exists, reason_of
from ppdt_db.engine.spark.redaction import log_off
from ppdt_db.engine.spark.session import duck_type, spark_session
from ppdt_db.errors import RequestError
from ppdt_db.policy.roles import raise_all
from ppdt_db.source.csv.dialect import CsvSource
from ppdt_db.source.source import STAGED, Source, SourceLike
from ppdt_db.sqltext.quoting import ident, is_reserved, normalize_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GLOBAL = "global_temp"
# The types of stored tables in Spark's catalog; everything else is computed when it is read.
STORED = ("MANAGED", "EXTERNAL")


class SparkBackend:
    """The backend on a Spark session of the caller."""

    def __init__(self, engine: SparkEngine) -> None:
        self.engine = engine
        self._read: DataFrame | None = None

    @classmethod
    def of(cls, con: object, engine: str | None, sql_log: TextIO | None) -> Self:
        """Return the backend for a session, or for the active session if none is given."""
        if con is None and engine == "spark":
            con = spark_session()
        if type(con).__name__ != "SparkSession" or not hasattr(con, "sparkContext"):
            kinds = "a DuckDB connection, or a SparkSession that is not remote"
            raise RequestError(f"a run needs {kinds}; got a {type(con).__name__}.")
        return cls(SparkEngine(con, sql_log))  # type: ignore[arg-type]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Clean up when the run ends; Spark itself handles Ctrl-C."""
        with log_off(self.engine.session), self.engine.cleared():
            yield

    @contextmanager
    def opened(self, given: SourceLike) -> Iterator[Source]:
        """Yield the source, readable while the block lasts."""
        frame, kind, title = self._found(given)
        raise_all(_frame_faults(frame))
        self._read = frame
        # Only global views are visible both in the caller's session and in ours.
        name = f"ppdt_{secrets.token_hex(8)}"
        with self.engine.translating("opening the source"):
            frame.createGlobalTempView(name)
            types = {entry.name: entry.dataType.simpleString() for entry in frame.schema}
        try:
            yield Source(
                kind=kind,  # type: ignore[arg-type]
                title=title,
                relation=ident((GLOBAL, name)),
                columns={name: duck_type(type_name) for name, type_name in types.items()},
            )
        finally:
            with self.engine.translating("closing the source"):
                self.engine.caller.catalog.dropGlobalTempView(name)

    def _found(self, given: SourceLike) -> "tuple[DataFrame, str, str]":
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import DataFrame

        if isinstance(given, CsvSource):
            raise RequestError(
                "--csv: not supported on Spark, which reads tables and Parquet. Remove it."
            )
        if isinstance(given, DataFrame):
            return given, "frame", "Spark frame"
        if not isinstance(given, str | Path):
            raise RequestError(
                f"a source of type {type(given).__name__} cannot be read by Spark. Give the name "
                "of a table or view, a path to Parquet files, or a frame of the session."
            )
        name, caller = str(given), self.engine.caller
        if is_reserved(name.rpartition(".")[2]):
            raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Rename it.')
        try:
            if is_name(name) and caller.catalog.tableExists(name):
                table = caller.catalog.getTable(name)
                is_stored = table.tableType in STORED
                return caller.table(name), "table" if is_stored else "view", name
            if (
                not normalize_name(name).rstrip("/").endswith((".parquet", ".pq"))
                and "*" not in name
            ):
                raise RequestError(
                    f'source "{name}": there is no such table or view, and it is not a Parquet '
                    "path (ending in .parquet or .pq)."
                )
            title = name.rstrip("/").rpartition("/")[2]
            # An existing path is taken literally, even if its name looks like a glob.
            path = escaped(name) if exists(caller, name) else name
            return caller.read.parquet(path), "parquet", title
        except (PySparkException, Py4JError) as error:
            raise RequestError(
                f'source "{name}" cannot be read by Spark ({reason_of(error)}).'
            ) from None

    def stage(self, source: Source) -> Source:
        """Checkpoint a source, unless it is stored where a second reading returns the same rows."""
        if source.is_at_rest:
            return source
        names = {"source": source.relation, "columns": list(source.columns)}
        self.engine.make("encode/source", names=names)
        return replace(source, relation=ident(STAGED))


def quoted(path: tuple[str, ...]) -> str:
    """Return a qualified name as Spark's catalog reads it."""
    return ".".join("`" + name.replace("`", "``") + "`" for name in path)


def _frame_faults(frame: "DataFrame") -> list[str]:
    """Return the faults of a frame's columns that a statement could not name."""
    if frame.isStreaming:
        return ["the source is a stream. Write what has arrived to a table, and give that."]
    if not frame.columns:
        return ["the source has no columns."]
    counts = Counter(name.lower() for name in frame.columns)
    faults = [
        f'"{name}": two columns have this name (Spark ignores case). Rename one of them.'
        for name in frame.columns
        if counts[name.lower()] > 1
    ]
    if any(not name or "\x00" in name for name in frame.columns):
        faults.append("a column has no name, or one with a NUL character. Rename it.")
    faults += [
        f'"{name}": Spark\'s Parquet reader expands ${{...}} as a variable. Rename the column.'
        for name in frame.columns
        if "${" in name
    ]
    return list(dict.fromkeys(faults))


def is_name(name: str) -> bool:
    """Return whether a text can be a table name (SCHEMA.NAME or NAME), not a path."""
    return "/" not in name and not normalize_name(name).endswith((".parquet", ".pq"))
