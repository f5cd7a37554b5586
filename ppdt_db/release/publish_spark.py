"""Publish on Spark: write a table or a folder of Parquet aside, audit it there, then rename it."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from ppdt_db.engine.spark.engine import SparkEngine
from ppdt_db.engine.spark.folders import aside, escaped, is_left, move, owner, remove_inside
from ppdt_db.errors import EngineError
from ppdt_db.release.publish import Publisher
from ppdt_db.release.stages import Run
from ppdt_db.source.spark import quoted
from ppdt_db.sqltext.quoting import Sql, ident

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RELEASE = "ppdt_release"
MADE = "an anonymous release, made by ppdt"
# The names of a table not visible yet, and of one being replaced: their owner and destination.
LEFT = re.compile(r"ppdt_(part|replaced)_([a-z0-9]+_[0-9]+)_[0-9a-f]{8}_(.+)")
Path: TypeAlias = tuple[str, ...]


class SparkPublisher(Publisher):
    """The publisher on Spark.

    There is no catalog: the certificate is the only record.
    """

    def __init__(self, engine: SparkEngine, run: Run) -> None:
        super().__init__(run)
        self.spark = engine

    @property
    def name(self) -> str:
        """The name of the release: of the table as requested, or of the folder."""
        place = self.request.address
        return str(self.request.into) if place is None else place.rstrip("/").rpartition("/")[2]

    @contextmanager
    def hidden(self) -> Iterator[Sql]:
        """Fill the release out of sight; make it visible when the block ends, or nothing."""
        place = self.request.address
        with (
            self.spark.translating("publishing the release"),
            self._to_table(str(self.request.into))
            if place is None
            else self._to_folder(place) as relation,
        ):
            yield relation

    def _frame(self) -> "DataFrame":
        """Return the release without the metadata of the source's columns."""
        from pyspark.sql.functions import col

        frame = self.spark.frame_of("recode/release", {}, self.run.inputs.names)
        plain = [col(quoted((c.name,))).alias(c.name, metadata={}) for c in frame.schema]
        return frame.select(*plain)

    @contextmanager
    def _to_folder(self, place: str) -> Iterator[Sql]:
        session = self.spark.session
        with aside(session, place) as hidden:
            with self.spark.translating("recode/release"):
                self._frame().write.parquet(hidden)
                self.spark.register(RELEASE, session.read.parquet(escaped(hidden)))
            yield ident(RELEASE)
            session.catalog.dropTempView(RELEASE)
            move(session, hidden, place)
            self.spark.caller.catalog.refreshByPath(place)

    @contextmanager
    def _to_table(self, name: str) -> Iterator[Sql]:
        *schema, table = name.split(".")
        self._remove_leftovers(tuple(schema))
        mark = f"{owner().replace('-', '_')}_{secrets.token_hex(4)}_{table}"
        path, hidden = (*schema, table), (*schema, f"ppdt_part_{mark}")
        try:
            with self.spark.translating("recode/release"):
                self._frame().write.format("parquet").saveAsTable(quoted(hidden))
            self.spark.run("lib/engine/comment", {"name": hidden, "text": MADE})
            yield ident(hidden)
            self._show(hidden, path, (*schema, f"ppdt_replaced_{mark}"))
        finally:
            self._drop(hidden)
        # The caller's session may have cached the files of a table that was replaced.
        self.spark.caller.catalog.refreshTable(quoted(path))

    def _show(self, hidden: Path, path: Path, old: Path) -> None:
        """Move a table to its destination; move the one it replaces aside first, then drop it."""
        had_one = self.spark.session.catalog.tableExists(quoted(path))
        if had_one:
            self._rename(path, old)
        try:
            self._rename(hidden, path)
        except EngineError:
            if had_one:
                self._rename(old, path)
            raise
        if had_one:
            self._drop(old)

    def _remove_leftovers(self, schema: Path) -> None:
        """Drop the tables that killed runs of this machine left; restore what they replaced."""
        catalog = self.spark.session.catalog
        database = quoted(schema or (catalog.currentDatabase(),))
        # Spark fills the folder of a table before it registers the table.
        remove_inside(
            self.spark.session,
            catalog.getDatabase(database).locationUri,
            lambda name: _is_left_part(name) and not catalog.tableExists(quoted((*schema, name))),
        )
        for left in catalog.listTables(database, "ppdt_*"):
            match = LEFT.fullmatch(left.name)
            if match is None or not is_left(match.group(2).replace("_", "-")):
                continue
            path, table = (*schema, left.name), (*schema, match.group(3))
            if match.group(1) == "replaced" and not catalog.tableExists(quoted(table)):
                self._rename(path, table)
            else:
                self._drop(path)

    def _rename(self, path: Path, to: Path) -> None:
        self.spark.run("lib/engine/spark_rename", {"name": path, "to": to})

    def _drop(self, path: Path) -> None:
        self.spark.run("lib/engine/spark_drop", {"name": path})


def _is_left_part(name: str) -> bool:
    """Return whether a killed run of this machine was writing a table of this name."""
    match = LEFT.fullmatch(name)
    return match is not None and match[1] == "part" and is_left(match[2].replace("_", "-"))
