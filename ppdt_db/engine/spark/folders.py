"""Folders that Spark reads and writes: their file systems, and replacing one by another."""

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ppdt_db.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ASIDE = ".ppdt-"
REPLACED = "replaced"
GLOB = "{}[]*?\\"


def owner() -> str:
    """Return the mark of this process in file names: host name and process id."""
    return f"{_machine()}-{os.getpid()}"


def is_left(mark: str) -> bool:
    """Return whether a mark belongs to a process of this machine that has ended."""
    machine, _, rest = mark.partition("-")
    pid = rest.partition("-")[0]
    return machine == _machine() and pid.isdigit() and not _is_running(int(pid))


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _machine() -> str:
    return "".join(c for c in socket.gethostname().lower() if c.isascii() and c.isalnum())


def located(session: "SparkSession", place: str) -> tuple[Any, Any]:
    """Return the Hadoop file system of a path, and the qualified path."""
    assert session.sparkContext._jvm is not None
    path = session.sparkContext._jvm.org.apache.hadoop.fs.Path(place)
    system = path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    return system, system.makeQualified(path)


def exists(session: "SparkSession", place: str) -> bool:
    """Return whether a path exists."""
    system, path = located(session, place)
    return bool(system.exists(path))


def escaped(place: str) -> str:
    """Return a path with its glob characters escaped."""
    return "".join(f"\\{letter}" if letter in GLOB else letter for letter in place)


def place_faults(session: "SparkSession", place: str, *, replace: bool) -> list[str]:
    """Return the reasons why a folder cannot be written."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        system, path = located(session, place)
        if system.exists(path) and not replace:
            return [f"--out {place}: it exists. Add --replace, or remove it first."]
        folder = path.getParent()
        if path.toUri().getScheme() != "file" or folder is None:
            return []
        if not system.exists(folder):
            return [f"--out {place}: the folder does not exist. Create it first."]
        if not system.getFileStatus(folder).isDirectory() or not os.access(_plain(folder), os.W_OK):
            return [f"--out {place}: the folder is not writable."]
    except (Py4JError, PySparkException) as error:
        return [f"--out {place}: Spark cannot reach this place ({reason_of(error)})."]
    return []


def reason_of(error: Exception) -> str:
    """Return the kind of an error of Spark or Java, which quotes no value."""
    condition = getattr(error, "getCondition", lambda: None)()
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    return condition or (java.getClass().getSimpleName() if java else type(error).__name__)


# -- what is read ------------------------------------------------------------------------------


def roots(session: "SparkSession", frame: "DataFrame") -> list[str]:
    """Return the files and folders that a frame reads, also behind cached frames."""
    found: list[str] = [unquote(file) for file in frame.inputFiles()]
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    for number in range(leaves.size()):
        leaf = leaves.apply(number)
        kind = leaf.getClass().getSimpleName()
        if kind == "HiveTableRelation":
            found.append(leaf.tableMeta().location().getPath())
        elif kind == "LogicalRelation":
            relation = leaf.relation()
            if relation.getClass().getSimpleName() == "HadoopFsRelation":
                paths = relation.location().rootPaths()
                found += [paths.apply(i).toString() for i in range(paths.size())]
    return sorted({_address(located(session, path)[1]) for path in found})


def overlaps(session: "SparkSession", read: list[str], place: str) -> bool:
    """Return whether a place contains a path that is read, or lies inside one."""
    target = _address(located(session, place)[1])
    return any(
        one == other or one.startswith(other.rstrip("/") + "/")
        for path in read
        for one, other in ((path, target), (target, path))
    )


def _address(path: Any) -> str:
    """Return a path with links resolved, if it is local."""
    return os.path.realpath(_plain(path)) if _is_local(path) else str(path.toString())


def _is_local(path: Any) -> bool:
    return str(path.toUri().getScheme()) == "file"


def _plain(path: Any) -> str:
    return str(path.toUri().getPath())


# -- what is written ---------------------------------------------------------------------------


@contextmanager
def aside(session: "SparkSession", place: str) -> Iterator[str]:
    """Yield a path in a hidden folder beside the target; the folder is removed at the end."""
    system, target = located(session, place)
    _remove_leftovers(session, system, target.getParent())
    folder = _inside(session, target.getParent(), f"{ASIDE}{owner()}-{secrets.token_hex(4)}")
    try:
        yield str(_inside(session, folder, target.getName()).toString())
    finally:
        if system.exists(folder):
            system.delete(folder, True)


def _inside(session: "SparkSession", folder: Any, name: str) -> Any:
    assert session.sparkContext._jvm is not None
    return session.sparkContext._jvm.org.apache.hadoop.fs.Path(folder, f"./{name}")


def _remove_leftovers(session: "SparkSession", system: Any, parent: Any) -> None:
    """Remove what killed runs of this machine left beside the same target.

    A release that a killed run had set aside to replace it is restored.
    """
    if not system.exists(parent):
        return
    for left in _names(system, parent):
        if not left.startswith(ASIDE) or not is_left(left.removeprefix(ASIDE)):
            continue
        folder = _inside(session, parent, left)
        old = _inside(session, folder, REPLACED)
        for name in _names(system, folder):
            target = _inside(session, parent, name)
            if name != REPLACED and system.exists(old) and not system.exists(target):
                system.rename(old, target)
        system.delete(folder, True)


def remove_inside(session: "SparkSession", place: str, is_gone: Callable[[str], bool]) -> None:
    """Remove the entries of a folder that `is_gone` selects by name."""
    system, folder = located(session, place)
    for name in _names(system, folder) if system.exists(folder) else []:
        if is_gone(name):
            system.delete(_inside(session, folder, name), True)


def _names(system: Any, folder: Any) -> list[str]:
    return [str(status.getPath().getName()) for status in system.listStatus(folder)]


def move(session: "SparkSession", hidden: str, place: str) -> None:
    """Move an audited release into its place; the previous one is set aside first, then removed."""
    system, source = located(session, hidden)
    _, target = located(session, place)
    old = _inside(session, source.getParent(), REPLACED)
    had_one = system.exists(target)
    if had_one and not system.rename(target, old):
        raise EngineError(f"{place} cannot be replaced. Nothing was released.")
    if not system.rename(source, target):
        if had_one:
            system.rename(old, target)
        raise EngineError(f"{place} cannot be written. Nothing was released.")
