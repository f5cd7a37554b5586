"""Publish on Spark: a table, or a folder of Parquet, written aside, audited there, then renamed."""

import re
import secrets
from typing import TYPE_CHECKING, TypeAlias

from ppdt_db.engine.spark import SparkEngine
from ppdt_db.errors import EngineError
from ppdt_db.folder_spark import aside, escaped, is_left, move, owner, remove_inside
from ppdt_db.ground_spark import quoted
from ppdt_db.methods.contract import Progress
from ppdt_db.names import ident
from ppdt_db.publish import Order, Publisher, Release
from ppdt_db.recode import Parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RELEASE = "ppdt_release"
MADE = "an anonymous release, made by ppdt"
# A table that nobody has seen yet, and one that is being replaced: whose, and for which table.
LEFT = re.compile(r"ppdt_(part|replaced)_([a-z0-9]+_[0-9]+)_[0-9a-f]{8}_(.+)")
Path: TypeAlias = tuple[str, ...]


class SparkPublisher(Publisher):
    """Publishes one release on Spark. There is no catalog: the certificate is its only record."""

    def __init__(self, engine: SparkEngine, order: Order) -> None:
        self.spark = engine
        super().__init__(engine, order, None)

    def _publish(self, parts: Parts, run_key: str, progress: Progress) -> Release:
        """Show the release at its place, or nothing."""
        with self.spark.translating("showing the release"):
            if self.request.address is not None:
                return self._to_folder(self.request.address, parts, progress)
            assert self.request.into is not None
            return self._to_table(self.request.into, parts, progress)

    def _is_recorded(self) -> bool:
        return False

    def _frame(self, parts: Parts) -> "DataFrame":
        """The release, without what the source's columns had attached to them."""
        from pyspark.sql.functions import col

        frame = self.spark.frame_of("recode/release", {}, parts.names)
        plain = [col(quoted((c.name,))).alias(c.name, metadata={}) for c in frame.schema]
        return frame.select(*plain)

    def _to_folder(self, place: str, parts: Parts, progress: Progress) -> Release:
        session = self.spark.session
        with aside(session, place) as hidden:
            with self.spark.translating("recode/release"):
                self._frame(parts).write.parquet(hidden)
                self.spark.register(RELEASE, session.read.parquet(escaped(hidden)))
            progress("audit", 0.0)
            proof = self._prove(ident(RELEASE), parts)
            session.catalog.dropTempView(RELEASE)
            move(session, hidden, place)
            self.spark.caller.catalog.refreshByPath(place)
        return self._released(place.rstrip("/").rpartition("/")[2], proof)

    def _to_table(self, name: str, parts: Parts, progress: Progress) -> Release:
        *schema, table = name.split(".")
        self._remove_leftovers(tuple(schema))
        mark = f"{owner().replace('-', '_')}_{secrets.token_hex(4)}_{table}"
        path, hidden = (*schema, table), (*schema, f"ppdt_part_{mark}")
        try:
            with self.spark.translating("recode/release"):
                self._frame(parts).write.format("parquet").saveAsTable(quoted(hidden))
            self.spark.run("engine/comment", {"name": hidden, "text": MADE})
            progress("audit", 0.0)
            proof = self._prove(ident(hidden), parts)
            self._show(hidden, path, (*schema, f"ppdt_replaced_{mark}"))
        finally:
            self._drop(hidden)
        # The caller's session may remember the files of a table that was replaced.
        self.spark.caller.catalog.refreshTable(quoted(path))
        return self._released(name, proof)

    def _show(self, hidden: Path, path: Path, old: Path) -> None:
        """Let a table take its place; the one that stood there goes aside first, and is removed."""
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
        """Remove the tables that killed runs of this machine left; what they replaced goes back."""
        catalog = self.spark.session.catalog
        database = quoted(schema or (catalog.currentDatabase(),))
        # Spark fills the folder of a table before its catalog knows the table.
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
        self.spark.run("engine/spark_rename", {"name": path, "to": to})

    def _drop(self, path: Path) -> None:
        self.spark.run("engine/spark_drop", {"name": path})


def _is_left_part(name: str) -> bool:
    """Whether a killed run of this machine was filling a table of this name."""
    match = LEFT.fullmatch(name)
    return match is not None and match[1] == "part" and is_left(match[2].replace("_", "-"))
