"""Runs the statements of `sql/` on a Spark session: the same text, transpiled at this edge.

Every step is a temporary view. What is read more than once is checkpointed, so that plans stay
short; nothing comes to the driver but counts and trees.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Any, TextIO

import duckdb

from ppdt_db.engine.contract import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.duckdb_errors import DEBUG
from ppdt_db.engine.script import spelled
from ppdt_db.engine.spark_quiet import has_ended, quiet, translated
from ppdt_db.engine.spark_sql import secret_view, to_spark
from ppdt_db.errors import RequestError
from ppdt_db.names import Listed, Private, Sql
from ppdt_db.template import Statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What a worker may hold a copy of.
SMALL_BYTES = 64 * 1024 * 1024

SETTINGS = {
    # Overflow and bad casts are errors, as they are in DuckDB.
    "spark.sql.ansi.enabled": "true",
    # DECIMAL(38, 12) plus DECIMAL(38, 12) keeps its twelve digits.
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    # A checkpoint of a union trips over the constraints of its parts.
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    "spark.sql.ansi.enforceReservedKeywords": "false",
    # What stands in a statement is read as it is written: names and texts of any letters.
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
    # Spark's own default is a type that nobody else takes for an instant.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Days before 1582 are the same days in a file as here.
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}


@dataclass(frozen=True)
class _Part:
    """Rows of a relation, and what holds them if they were carried out."""

    frame: "DataFrame"
    rdd: Any = None


@dataclass
class _Kept:
    """A relation of the run: its parts, and whether every worker may have a copy of it."""

    parts: list[_Part] = field(default_factory=list)
    n_bytes: float = inf

    @property
    def is_small(self) -> bool:
        """Whether every worker may have a copy of it."""
        return self.n_bytes <= SMALL_BYTES


class SparkEngine(Engine):
    """A Spark session that runs steps.

    It works in a session of its own beside the caller's: settings and views of the caller's stay
    as they are.
    """

    dialect = "spark"
    widest_word = 62
    tries = 1

    def __init__(self, session: "SparkSession", sql_log: TextIO | None = None) -> None:
        super().__init__()
        self.caller = session
        self.session = session.newSession()
        # A name without a schema means what it means to the caller.
        self.session.catalog.setCurrentCatalog(session.catalog.currentCatalog())
        self.session.catalog.setCurrentDatabase(session.catalog.currentDatabase())
        for name, value in SETTINGS.items():
            if self.session.conf.get(name) != value:
                self.session.conf.set(name, value)
        if "spark.sql.shuffle.partitions" not in dict(session.sparkContext.getConf().getAll()):
            n_parts = max(4, 2 * session.sparkContext.defaultParallelism)
            self.session.conf.set("spark.sql.shuffle.partitions", str(n_parts))
        self._log = sql_log
        self._kept: dict[str, _Kept] = {}

    # -- steps ---------------------------------------------------------------------------------

    def make(
        self,
        step: str | Statement,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
        *,
        to: str | None = None,
        once: bool = False,
        light: bool = False,
    ) -> str:
        """Keep a step as the view that its file is named after; returns the name."""
        statement = rendered(step, names)
        name = to or "ppdt_" + statement.step.rpartition("/")[2]
        frame = self._frame(statement, params)
        if once or light:
            read = set(re.findall(r"\bppdt_\w+", statement.text)) & self._kept.keys()
            kept = _Kept([_Part(frame)], sum(self._kept[of].n_bytes for of in read))
        else:
            kept = self._checkpointed(frame, statement.step)
        old = self._kept.pop(name, None)
        self._show(name, kept)
        if old is not None:
            self._forget(old)
        return name

    def append(
        self,
        step: str | Statement,
        to: Name,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> None:
        """Add the rows of a step to a relation of ours."""
        assert isinstance(to, str)
        statement = rendered(step, names)
        more = self._checkpointed(self._frame(statement, params), statement.step)
        kept = self._kept[to]
        self._show(to, _Kept([*kept.parts, *more.parts], kept.n_bytes + more.n_bytes))

    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a relation of ours whose key a step names."""
        gone = self._frame(rendered(step, Nothing), Nothing)
        old = self._kept[name]
        with self.translating("engine/delete"):
            left = self._whole(old).join(gone, on=key, how="left_anti")
        self._show(name, self._checkpointed(left, "engine/delete"))
        self._forget(old)

    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """The rows of a step, for counts and trees."""
        frame = self._frame(rendered(step, names), params)
        with self.translating(step):
            found = frame.collect()
        return [tuple(_plain(value) for value in row) for row in found]

    def rename(self, name: str, to: str) -> None:
        """Let a relation of ours take the place of another."""
        old = self._kept.pop(to, None)
        kept = self._kept.pop(name)
        self._hide(name)
        self._show(to, kept)
        if old is not None:
            self._forget(old)

    def drop(self, *names: str) -> None:
        """Remove relations of ours."""
        for name in names:
            kept = self._kept.pop(name, None)
            self._made.discard(name)
            if kept is not None:
                self._hide(name)
                self._forget(kept)

    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """The columns of a relation and their types, as DuckDB names them."""
        statement = rendered("engine/described", {"relation": relation})
        frame = self._frame(statement, Nothing)
        return [(entry.name, duck_type(entry.dataType.simpleString())) for entry in frame.schema]

    def frame_of(
        self, step: str, params: Mapping[str, object], names: Mapping[str, object]
    ) -> "DataFrame":
        """The rows of a step as a frame of Spark's, to be written somewhere."""
        return self._frame(rendered(step, names), params)

    def run(self, step: str, names: Mapping[str, object] = Nothing) -> None:
        """Carry out a step that gives no rows."""
        self._frame(rendered(step, names), Nothing)

    def register(self, name: str, frame: "DataFrame") -> None:
        """Let a frame of this session be read under a name."""
        with self.translating("engine/register"):
            frame.createOrReplaceTempView(name)

    @property
    def versions(self) -> Mapping[str, str]:
        """What ran, for the certificate."""
        return {"spark": self.session.version, "duckdb": duckdb.__version__}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Spark has none: what is read must be at rest, and nothing is shown before the end."""
        yield

    @contextmanager
    def unordered(self) -> Iterator[None]:
        """Spark keeps no order anyway."""
        yield

    # -- relations -------------------------------------------------------------------------------

    def _frame(self, statement: Statement, params: Mapping[str, object]) -> "DataFrame":
        bound = bound_of(statement, params)
        lists = frozenset(name for name, value in bound.items() if isinstance(value, list))
        small = frozenset(name for name, kept in self._kept.items() if kept.is_small)
        read = small & set(re.findall(r"\bppdt_\w+", statement.text))
        secret = frozenset(name for name, value in bound.items() if _is_secret(value))
        text = to_spark(statement.text, lists, read, secret)
        if self._log is not None:
            self._log.write(f"-- {statement.step}\n{spelled(statement.text, bound)};\n\n")
        given = {n: json.dumps(v) if n in lists else v for n, v in bound.items()}
        with self.translating(statement.step):
            for name in secret:
                self._hold_secret(name, given.pop(name))
            return self.session.sql(text, args=given)

    def _hold_secret(self, name: str, value: object) -> None:
        """Hold a parameter as a relation: plans, which Spark logs and shows, hold the others."""
        from pyspark.sql import DataFrame

        jvm, inner = self.session.sparkContext._jvm, self.session._jsparkSession
        assert jvm is not None
        held = jvm.java.util.ArrayList()
        held.add(str(value))
        rows = inner.createDataset(held, jvm.org.apache.spark.sql.Encoders.STRING()).toDF()
        self._show(secret_view(name), _Kept([_Part(DataFrame(rows, self.session))], 0))

    def _checkpointed(self, frame: "DataFrame", step: str) -> _Kept:
        """Carry a frame out, and cut it off from what it was made of."""
        with self.translating(step):
            is_reliable = self.session.sparkContext.getCheckpointDir() is not None
            cut = frame.checkpoint() if is_reliable else frame.localCheckpoint()
            rdd = cut._jdf.queryExecution().logical().rdd()
            n_bytes = inf if is_reliable else self._size(rdd)
            return _Kept([_Part(self._afresh(cut, rdd), rdd)], n_bytes)

    def _afresh(self, frame: "DataFrame", rdd: Any) -> "DataFrame":
        """A checkpointed frame that has forgotten what it was made of.

        Spark thinks a join to be as large as the product of its parts, and a union has as many
        partitions as its parts together: from level to level both would double.
        """
        from pyspark.sql import DataFrame

        inner, schema = self.session._jsparkSession, frame._jdf.schema()
        plain = DataFrame(inner.internalCreateDataFrame(rdd, schema, False), self.session)
        most = 2 * int(self.session.conf.get("spark.sql.shuffle.partitions") or 1)
        return plain.coalesce(most) if rdd.getNumPartitions() > most else plain

    def _size(self, rdd: Any) -> float:
        """The bytes of a checkpointed frame, which Spark's block manager knows."""
        number = rdd.id()
        infos = self.session.sparkContext._jsc.sc().getRDDStorageInfo()
        found = [info.memSize() + info.diskSize() for info in infos if info.id() == number]
        return float(sum(found))

    def _show(self, name: str, kept: _Kept) -> None:
        self._kept[name] = kept
        self._made.add(name)
        self.register(name, self._whole(kept))

    def _hide(self, name: str) -> None:
        self._made.discard(name)
        with self.translating("engine/drop"):
            self.session.catalog.dropTempView(name)

    def _whole(self, kept: _Kept) -> "DataFrame":
        whole, *more = kept.parts
        frame = whole.frame
        for part in more:
            frame = frame.unionAll(part.frame)
        return frame

    def _forget(self, kept: _Kept) -> None:
        """Free what a relation holds, unless another one has the same parts."""
        held = {id(part) for other in self._kept.values() for part in other.parts}
        for part in kept.parts:
            if id(part) not in held and part.rdd is not None:
                with self.translating("engine/drop"):
                    part.rdd.unpersist(False)
                    self._remove(part.rdd.getCheckpointFile())

    def _remove(self, file: Any) -> None:
        """Remove the folder of a reliable checkpoint, which holds values of the source."""
        if file.isDefined():
            jvm = self.session.sparkContext._jvm
            assert jvm is not None
            path = jvm.org.apache.hadoop.fs.Path(file.get())
            conf = self.session._jsparkSession.sessionState().newHadoopConf()
            path.getFileSystem(conf).delete(path, True)

    @contextmanager
    def translating(self, step: str) -> Iterator[None]:
        """Spark's messages quote values: ours say what happened, and where."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            with quiet():
                yield
        except (PySparkException, Py4JError) as error:
            raise translated(error, step) from (error if DEBUG else None)
        except AttributeError:
            # A context that was stopped has lost its Java half.
            if self.session.sparkContext._jsc is not None:
                raise
            raise has_ended(step) from None


def _is_secret(value: object) -> bool:
    """Whether no log may show a parameter: keys, and lists of the source's values."""
    return isinstance(value, Private | list) and not isinstance(value, Listed)


def _plain(value: object) -> object:
    """A number as DuckDB gives it: whole decimals are integers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


# Spark's names of types, and DuckDB's.
TYPES = {
    "tinyint": "TINYINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT",
    "float": "FLOAT", "double": "DOUBLE", "string": "VARCHAR", "boolean": "BOOLEAN",
    "date": "DATE", "timestamp": "TIMESTAMP WITH TIME ZONE", "timestamp_ntz": "TIMESTAMP",
    "binary": "BLOB",
}  # fmt: skip


def duck_type(name: str) -> str:
    """A type of Spark's by DuckDB's name, where both have it.

    >>> duck_type("array<string>"), duck_type("decimal(10,2)")
    ('VARCHAR[]', 'DECIMAL(10,2)')
    """
    if found := re.fullmatch(r"array<(.+)>", name):
        return duck_type(found.group(1)) + "[]"
    if name.startswith("decimal("):
        return name.upper()
    if name.startswith("string collate"):
        return "VARCHAR"
    return TYPES.get(name, name.upper())


def spark_session() -> "SparkSession":
    """The session of this process; in a process that was not submitted, one on this machine."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise RequestError(
            "--engine spark needs pyspark: pip install 'ppdt-db[spark]' (and Java)."
        ) from None
    session = SparkSession.builder.appName("ppdt").getOrCreate()
    if not DEBUG:
        # What Spark logs of a failed task quotes values; our message says what can be said.
        session.sparkContext.setLogLevel("OFF")
    return session
