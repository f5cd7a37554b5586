"""Publish on Spark: a table, or a folder of Parquet, written aside, audited there, then renamed."""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ppdt_db.engine.spark import SparkEngine
from ppdt_db.errors import EngineError
from ppdt_db.methods.contract import Progress
from ppdt_db.names import ident
from ppdt_db.processes import is_running
from ppdt_db.publish import Order, Publisher, Release
from ppdt_db.recode import Parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ASIDE = ".ppdt-"
RELEASE = "ppdt_release"


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
        plain = [col(_quoted(c.name)).alias(c.name, metadata={}) for c in frame.schema]
        return frame.select(*plain)

    def _to_folder(self, place: str, parts: Parts, progress: Progress) -> Release:
        session = self.spark.session
        with aside(session, place) as hidden:
            with self.spark.translating("recode/release"):
                self._frame(parts).write.parquet(hidden)
                self.spark.register(RELEASE, session.read.parquet(hidden))
            progress("audit", 0.0)
            proof = self._prove(ident(RELEASE), parts)
            session.catalog.dropTempView(RELEASE)
            move(session, hidden, place)
            self.spark.caller.catalog.refreshByPath(place)
        return self._released(place.rstrip("/").rpartition("/")[2], proof)

    def _to_table(self, name: str, parts: Parts, progress: Progress) -> Release:
        session = self.spark.session
        schema, _, _ = name.rpartition(".")
        hidden = f"ppdt_part_{secrets.token_hex(8)}"
        path = (*filter(None, schema.split(".")), hidden)
        try:
            with self.spark.translating("recode/release"):
                self._frame(parts).write.format("parquet").saveAsTable(".".join(path))
            progress("audit", 0.0)
            proof = self._prove(ident(path), parts)
            if session.catalog.tableExists(name):
                self.spark.run("engine/spark_drop", {"name": tuple(name.split("."))})
            self.spark.run("engine/spark_rename", {"name": path, "to": tuple(name.split("."))})
            # The caller's session may remember the files of a table that was replaced.
            self.spark.caller.catalog.refreshTable(name)
        finally:
            self.spark.run("engine/spark_drop", {"name": path})
        return self._released(name, proof)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


# -- folders -----------------------------------------------------------------------------------


def _system(session: "SparkSession", place: str) -> tuple[Any, Any]:
    """Hadoop's file system of a place, and the place as it names it."""
    assert session.sparkContext._jvm is not None
    path = session.sparkContext._jvm.org.apache.hadoop.fs.Path(place)
    system = path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    return system, system.makeQualified(path)


def exists(session: "SparkSession", place: str) -> bool:
    """Whether something lies at a place."""
    system, path = _system(session, place)
    return bool(system.exists(path))


def is_inside(file: str, place: str) -> bool:
    """Whether a file that is read lies in a place, by their paths alone."""
    read = file.partition(":")[2] or file
    whole = place.partition(":")[2] or os.path.abspath(place)  # noqa: PTH100
    plain = ["/" + "/".join(filter(None, path.split("/"))) for path in (read, whole)]
    return plain[0] == plain[1] or plain[0].startswith(plain[1] + "/")


@contextmanager
def aside(session: "SparkSession", place: str) -> Iterator[str]:
    """A path in a hidden folder beside the target; the folder is removed when the block ends."""
    system, target = _system(session, place)
    host = socket.gethostname().replace("-", "_")
    folder = f"{target.getParent()}/{ASIDE}{host}-{os.getpid()}-{secrets.token_hex(4)}"
    _remove_leftovers(session, str(target.getParent()), host)
    try:
        yield f"{folder}/{target.getName()}"
    finally:
        hidden = _system(session, folder)[1]
        if system.exists(hidden):
            system.delete(hidden, True)


def _remove_leftovers(session: "SparkSession", parent: str, host: str) -> None:
    """Remove what killed runs of this machine left beside the same target."""
    system, path = _system(session, parent)
    if not system.exists(path):
        return
    for status in system.listStatus(path):
        name = str(status.getPath().getName())
        mark, _, owner = name.removeprefix(ASIDE).partition("-")
        pid = owner.partition("-")[0]
        is_ours = name.startswith(ASIDE) and mark == host and pid.isdigit()
        if is_ours and not is_running(int(pid)):
            system.delete(status.getPath(), True)


def move(session: "SparkSession", hidden: str, place: str) -> None:
    """Let what was audited take its place; what stood there goes aside first, and is removed."""
    system, source = _system(session, hidden)
    _, target = _system(session, place)
    old = _system(session, f"{source.getParent()}/replaced")[1]
    had_one = system.exists(target)
    if had_one and not system.rename(target, old):
        raise EngineError(f"{place} cannot be replaced. Nothing was released.")
    if not system.rename(source, target):
        if had_one:
            system.rename(old, target)
        raise EngineError(f"{place} cannot be written. Nothing was released.")
