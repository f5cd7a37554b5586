"""The private folder of a run, for spilled data and unpublished files.

It is removed when the run ends, however it ends. The run holds a lock on it, which the system drops
with the process, even after a kill: so a later run in the same place can tell leftovers from
folders in use. On a file system without locks nothing counts as left over.
"""

import fcntl
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ppdt_db.engine.interrupt import signals_blocked
from ppdt_db.errors import EngineError, RequestError

OURS = re.compile(r"\.?ppdt-\d+-[0-9a-f]{16}")
TRIES = 5


@contextmanager
def run_folder(place: Path, *, is_hidden: bool = False) -> Iterator[Path]:
    """Yield a new folder in a place while the block lasts; sweep leftovers first."""
    sweep(place)
    folder, handle = _create_locked(place, "." if is_hidden else "")
    owner = os.getpid()
    try:
        yield folder
    finally:
        with signals_blocked():
            # A forked process shares the folder of its parent.
            if os.getpid() == owner:
                _remove(folder)
            os.close(handle)


def system_place() -> Path:
    """Return the system's temporary directory; never another one than TMPDIR names."""
    tmpdir = os.environ.get("TMPDIR")
    if tmpdir:
        if not Path(tmpdir).is_dir():
            raise RequestError(f"TMPDIR {tmpdir}: the folder does not exist. Create it first.")
        return Path(tmpdir).absolute()
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise EngineError(
            f"cannot create temporary files: {error.strerror}. Set TMPDIR to a writable folder."
        ) from None


def sweep(place: Path) -> None:
    """Remove the folders left behind by runs that were killed."""
    with suppress(OSError):
        for leftover in [entry for entry in place.iterdir() if OURS.fullmatch(entry.name)]:
            # Another user's folder cannot be removed.
            with suppress(OSError):
                _sweep_one(leftover)


def _sweep_one(leftover: Path) -> None:
    """Remove a folder unless its run is still active."""
    handle = _open_folder(leftover)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(leftover)
    finally:
        os.close(handle)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise EngineError(
            f"{folder} cannot be removed: {error.strerror}. It may contain values of the source: "
            "delete it yourself."
        ) from None


def _create_locked(place: Path, prefix: str) -> tuple[Path, int]:
    """Create a locked folder; retry where a sweep of another run removes it in between."""
    for _ in range(TRIES):
        folder = place / f"{prefix}ppdt-{os.getpid()}-{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700, parents=True)
        with suppress(FileNotFoundError):
            handle = _open_folder(folder)
            if _has_lock(handle) and folder.exists():
                return folder, handle
            os.close(handle)
    raise EngineError(f"{place}: other runs keep removing the folders created there. Try again.")


def _open_folder(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def _has_lock(handle: int) -> bool:
    """Return whether this process got the lock of a folder that it has just created."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks, as some network ones: nothing is swept there.
        return True
    return True
