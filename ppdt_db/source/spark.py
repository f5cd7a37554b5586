"""The ground of a run on Spark: a session, and the sources that it reads."""

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from ppdt_db.csv_dialect import CsvGiven
from ppdt_db.engine.spark import SparkEngine
from ppdt_db.engine.spark_quiet import log_off
from ppdt_db.engine.spark_session import duck_type, spark_session
from ppdt_db.errors import RequestError
from ppdt_db.folder_spark import escaped, exists, reason_of
from ppdt_db.names import fold, ident, is_reserved
from ppdt_db.policy import raise_all
from ppdt_db.source import STAGED, Given, Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GLOBAL = "global_temp"
# Tables that are at rest, as Spark's catalog calls them; all else is computed when it is read.
STORED = ("MANAGED", "EXTERNAL")


class SparkGround:
    """A Spark session of the caller's."""

    def __init__(self, engine: SparkEngine) -> None:
        self.engine = engine
        self._read: DataFrame | None = None

    @classmethod
    def of(cls, con: object, engine: str | None, sql_log: TextIO | None) -> Self:
        """The ground of a session; without one, of the session of this process."""
        if con is None and engine == "spark":
            con = spark_session()
        if type(con).__name__ != "SparkSession" or not hasattr(con, "sparkContext"):
            kinds = "a DuckDB connection, or a SparkSession that is not a remote one"
            raise RequestError(f"a run takes place in {kinds}; this is a {type(con).__name__}.")
        return cls(SparkEngine(con, sql_log))  # type: ignore[arg-type]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Cleans up at the end; Spark itself lets Ctrl-C stop what runs."""
        with log_off(self.engine.session), self.engine.cleared():
            yield

    @contextmanager
    def opened(self, given: Given) -> Iterator[Source]:
        """The source, readable for as long as the block lasts."""
        frame, kind, title = self._found(given)
        raise_all(_frame_faults(frame))
        self._read = frame
        # A global view is the one door between the caller's session and ours.
        name = f"ppdt_{secrets.token_hex(8)}"
        with self.engine.translating("opening the source"):
            frame.createGlobalTempView(name)
            types = {entry.name: entry.dataType.simpleString() for entry in frame.schema}
        try:
            yield Source(
                kind=kind,  # type: ignore[arg-type]
                title=title,
                relation=ident((GLOBAL, name)),
                columns={name: duck_type(held) for name, held in types.items()},
            )
        finally:
            with self.engine.translating("closing the source"):
                self.engine.caller.catalog.dropGlobalTempView(name)

    def _found(self, given: Given) -> "tuple[DataFrame, str, str]":
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import DataFrame

        if isinstance(given, CsvGiven):
            raise RequestError("csv: Spark reads tables and Parquet here. Leave it out.")
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
            if is_name(name) and caller.catalog.tableExists(name):
                table = caller.catalog.getTable(name)
                is_stored = table.tableType in STORED
                return caller.table(name), "table" if is_stored else "view", name
            if not fold(name).rstrip("/").endswith((".parquet", ".pq")) and "*" not in name:
                raise RequestError(
                    f'source "{name}": there is no such table or view, and it is no path to '
                    "Parquet (its ending is neither .parquet nor .pq)."
                )
            title = name.rstrip("/").rpartition("/")[2]
            # What lies there is meant, also where its name reads like a pattern.
            path = escaped(name) if exists(caller, name) else name
            return caller.read.parquet(path), "parquet", title
        except (PySparkException, Py4JError) as error:
            raise RequestError(
                f'source "{name}" cannot be read by Spark ({reason_of(error)}).'
            ) from None

    def stage(self, source: Source) -> Source:
        """Checkpoint a source, unless it is stored where a second reading gives the same rows."""
        if source.is_at_rest:
            return source
        names = {"source": source.relation, "columns": list(source.columns)}
        self.engine.make("encode/source", names=names)
        return replace(source, relation=ident(STAGED))


def quoted(path: tuple[str, ...]) -> str:
    """A path of names as Spark's catalog reads it."""
    return ".".join("`" + name.replace("`", "``") + "`" for name in path)


def _frame_faults(frame: "DataFrame") -> list[str]:
    """What a statement cannot name: Spark lets a frame have such columns."""
    if frame.isStreaming:
        return ["the source is a stream, which has no end. Give what has arrived, as a table."]
    if not frame.columns:
        return ["the source has no columns."]
    counts = Counter(name.lower() for name in frame.columns)
    faults = [
        f'"{name}": two columns have this name, which Spark compares without regard to case. '
        "Rename one of them."
        for name in frame.columns
        if counts[name.lower()] > 1
    ]
    if any(not name or "\x00" in name for name in frame.columns):
        faults.append("a column has no name, or one with a NUL character. Rename it.")
    faults += [
        f'"{name}": Spark\'s Parquet takes ${{...}} in a name for a variable. Rename the column.'
        for name in frame.columns
        if "${" in name
    ]
    return list(dict.fromkeys(faults))


def is_name(name: str) -> bool:
    """Whether a text can be a table's name: SCHEMA.NAME or NAME, no path."""
    return "/" not in name and not fold(name).endswith((".parquet", ".pq"))
