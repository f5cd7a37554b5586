"""Runs the statements of `sql/` on a Spark session: the same text, transpiled at this edge.

Every step is a temporary view. What is read more than once is checkpointed, so that plans stay
short; nothing comes to the driver but counts and trees.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, TextIO

import duckdb

from ppdt_db.engine.contract import Engine, Name, Nothing, Row, bound_of, rendered
from ppdt_db.engine.duckdb_errors import DEBUG
from ppdt_db.engine.script import logged, spelled
from ppdt_db.engine.spark_kept import Kept, Part, checkpointed, free, of_one
from ppdt_db.engine.spark_quiet import has_ended, quiet, translated
from ppdt_db.engine.spark_session import duck_type, session_beside
from ppdt_db.engine.spark_sql import secret_view, to_spark
from ppdt_db.names import Listed, Private, Sql
from ppdt_db.template import Statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class SparkEngine(Engine):
    """A Spark session that runs steps.

    It works in a session of its own beside the caller's: settings and views of the caller's stay
    as they are.
    """

    dialect = "spark"
    widest_word = 62
    tries = 1
    # Spark 4.0 cannot at all; later ones stop after a hundred turns, or a million rows.
    recurses = False

    def __init__(self, session: "SparkSession", sql_log: TextIO | None = None) -> None:
        super().__init__()
        self.caller = session
        self.session = session_beside(session)
        self._log = sql_log
        self._kept: dict[str, Kept] = {}

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
            kept = Kept([Part(frame)], sum(self._kept[of].n_bytes for of in read))
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
        self._show(to, Kept([*kept.parts, *more.parts], kept.n_bytes + more.n_bytes))

    def delete(self, step: str | Statement, name: str, key: str) -> None:
        """Remove the rows of a relation of ours whose key a step names."""
        gone = self._frame(rendered(step, Nothing), Nothing)
        old = self._kept[name]
        with self.translating("engine/delete"):
            left = old.whole.join(gone, on=key, how="left_anti")
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
            text_of_it = spelled(statement.text, bound)
            logged(self._log, f"-- {statement.step}\n{text_of_it};\n\n", self.aftermath)
        given = {n: json.dumps(v, allow_nan=False) if n in lists else v for n, v in bound.items()}
        with self.translating(statement.step):
            for name in secret:
                # Plans, which Spark logs and shows, hold the other parameters.
                self._show(secret_view(name), of_one(self.session, given.pop(name)))
            return self.session.sql(text, args=given)

    def _checkpointed(self, frame: "DataFrame", step: str) -> Kept:
        with self.translating(step):
            return checkpointed(self.session, frame)

    def _show(self, name: str, kept: Kept) -> None:
        self._kept[name] = kept
        self._made.add(name)
        self.register(name, kept.whole)

    def _hide(self, name: str) -> None:
        self._made.discard(name)
        with self.translating("engine/drop"):
            self.session.catalog.dropTempView(name)

    def _forget(self, kept: Kept) -> None:
        """Free what a relation holds, unless another one has the same parts."""
        held = {id(part) for other in self._kept.values() for part in other.parts}
        for part in kept.parts:
            if id(part) not in held and part.rdd is not None:
                with self.translating("engine/drop"):
                    free(self.session, part)

    @contextmanager
    def translating(self, step: str) -> Iterator[None]:
        """Spark's messages quote values: ours say what happened, and where."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            with quiet():
                yield
        except (PySparkException, Py4JError) as error:
            raise translated(error, step, self.aftermath) from (error if DEBUG else None)
        except AttributeError:
            # A context that was stopped has lost its Java half.
            if self.session.sparkContext._jsc is not None:
                raise
            raise has_ended(step, self.aftermath) from None


def _is_secret(value: object) -> bool:
    """Whether no log may show a parameter: keys, and lists of the source's values."""
    return isinstance(value, Private | list) and not isinstance(value, Listed)


def _plain(value: object) -> object:
    """A number as DuckDB gives it: whole decimals are integers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
