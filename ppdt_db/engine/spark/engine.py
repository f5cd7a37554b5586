"""Execute the statements of `sql/` on a Spark session, transpiled from DuckDB's dialect.

Every step is a temporary view. A step that is read more than once is checkpointed, so that query
plans stay short; only counts and trees come to the driver.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, TextIO

import duckdb

from ppdt_db.engine.base import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.script import inline_parameters, logged
from ppdt_db.engine.spark.checkpoints import Checkpoint, CheckpointPart, checkpointed, free, of_one
from ppdt_db.engine.spark.redaction import has_ended, quiet, translated
from ppdt_db.engine.spark.session import duck_type, session_beside
from ppdt_db.engine.spark.transpile import secret_view, to_spark
from ppdt_db.errors import DEBUG
from ppdt_db.sqltext.quoting import Listed, Private, Sql
from ppdt_db.sqltext.templates import Statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class SparkEngine(Engine):
    """An engine on a Spark session.

    It works in a session of its own, so that the caller's settings and views stay unchanged.
    """

    dialect = "spark"
    widest_word = 62
    tries = 1
    # Spark 4.0 has no recursion; later versions stop after 100 iterations or a million rows.
    recurses = False

    def __init__(self, session: "SparkSession", sql_log: TextIO | None = None) -> None:
        super().__init__()
        self.caller = session
        self.session = session_beside(session)
        self._log = sql_log
        self._kept: dict[str, Checkpoint] = {}

    # -- steps ---------------------------------------------------------------------------------

    def _make(
        self,
        name: str,
        statement: Statement,
        params: Mapping[str, object],
        *,
        inline: bool,
        light: bool,
    ) -> None:
        frame = self._frame(statement, params)
        if inline or light:
            read = set(re.findall(r"\bppdt_\w+", statement.text)) & self._kept.keys()
            kept = Checkpoint([CheckpointPart(frame)], sum(self._kept[of].n_bytes for of in read))
        else:
            kept = self._checkpointed(frame, statement.step)
        old = self._kept.pop(name, None)
        self._show(name, kept)
        if old is not None:
            self._forget(old)

    def _append(self, to: Name, statement: Statement, params: Mapping[str, object]) -> None:
        assert isinstance(to, str)
        more = self._checkpointed(self._frame(statement, params), statement.step)
        kept = self._kept[to]
        self._show(to, Checkpoint([*kept.parts, *more.parts], kept.n_bytes + more.n_bytes))

    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a relation of this run whose key is in the rows of a step."""
        gone = self._frame(rendered(step, Nothing), Nothing)
        old = self._kept[name]
        with self.translating("lib/engine/delete"):
            left = old.whole.join(gone, on=key, how="left_anti")
        self._show(name, self._checkpointed(left, "lib/engine/delete"))
        self._forget(old)

    def rows(
        self,
        step: str,
        params: Mapping[str, object] = Nothing,
        names: Mapping[str, object] = Nothing,
    ) -> list[Row]:
        """Return the rows of a step; for counts and trees."""
        frame = self._frame(rendered(step, names), params)
        with self.translating(step):
            found = frame.collect()
        return [tuple(_plain(value) for value in row) for row in found]

    def rename(self, name: str, to: str) -> None:
        """Replace a relation of this run by another."""
        old = self._kept.pop(to, None)
        kept = self._kept.pop(name)
        self._hide(name)
        self._show(to, kept)
        if old is not None:
            self._forget(old)

    def drop(self, *names: str) -> None:
        """Remove relations of this run."""
        for name in names:
            kept = self._kept.pop(name, None)
            self._made.discard(name)
            if kept is not None:
                self._hide(name)
                self._forget(kept)

    def describe(self, relation: Sql) -> list[tuple[str, str]]:
        """Return the columns of a relation and their types, in DuckDB's names."""
        statement = rendered("lib/engine/described", {"relation": relation})
        frame = self._frame(statement, Nothing)
        return [(entry.name, duck_type(entry.dataType.simpleString())) for entry in frame.schema]

    def frame_of(
        self, step: str, params: Mapping[str, object], names: Mapping[str, object]
    ) -> "DataFrame":
        """Return the rows of a step as a Spark frame, to be written."""
        return self._frame(rendered(step, names), params)

    def run(self, step: str, names: Mapping[str, object] = Nothing) -> None:
        """Execute a step that returns no rows."""
        self._frame(rendered(step, names), Nothing)

    def register(self, name: str, frame: "DataFrame") -> None:
        """Register a frame of this session under a name."""
        with self.translating("engine/register"):
            frame.createOrReplaceTempView(name)

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of Spark and DuckDB, for the certificate."""
        return {"spark": self.session.version, "duckdb": duckdb.__version__}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as it is: Spark has no transactions."""
        yield

    @contextmanager
    def unordered(self) -> Iterator[None]:
        """Run the block as it is: Spark keeps no order."""
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
            text_of_it = inline_parameters(statement.text, bound)
            logged(self._log, f"-- {statement.step}\n{text_of_it};\n\n", self.aftermath)
        given = {n: json.dumps(v, allow_nan=False) if n in lists else v for n, v in bound.items()}
        with self.translating(statement.step):
            for name in secret:
                # Query plans, which Spark logs and shows, contain the other parameters.
                self._show(secret_view(name), of_one(self.session, given.pop(name)))
            return self.session.sql(text, args=given)

    def _checkpointed(self, frame: "DataFrame", step: str) -> Checkpoint:
        with self.translating(step):
            return checkpointed(self.session, frame)

    def _show(self, name: str, kept: Checkpoint) -> None:
        self._kept[name] = kept
        self._made.add(name)
        self.register(name, kept.whole)

    def _hide(self, name: str) -> None:
        self._made.discard(name)
        with self.translating("engine/drop"):
            self.session.catalog.dropTempView(name)

    def _forget(self, kept: Checkpoint) -> None:
        """Free the parts of a relation that no other relation shares."""
        held = {id(part) for other in self._kept.values() for part in other.parts}
        for part in kept.parts:
            if id(part) not in held and part.rdd is not None:
                with self.translating("engine/drop"):
                    free(self.session, part)

    @contextmanager
    def translating(self, step: str) -> Iterator[None]:
        """Translate Spark's errors in the block, whose messages may quote values."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            with quiet():
                yield
        except (PySparkException, Py4JError) as error:
            raise translated(error, step, self.aftermath) from (error if DEBUG else None)
        except AttributeError:
            # A stopped context has lost its Java object.
            if self.session.sparkContext._jsc is not None:
                raise
            raise has_ended(step, self.aftermath) from None


def _is_secret(value: object) -> bool:
    """Return whether a parameter must not be logged: keys, and lists of the source's values."""
    return isinstance(value, Private | list) and not isinstance(value, Listed)


def _plain(value: object) -> object:
    """Return a number as DuckDB returns it: whole decimals as integers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
