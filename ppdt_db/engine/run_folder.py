"""A folder of a run's own, for what does not fit into memory and for what nobody may see yet.

It is removed whatever ends the run. The run holds its lock, which the system drops with the
process, also after a kill: so the next run in the same place can tell what was left behind from
what a neighbour still needs. Where a file system has no locks, nothing is taken for left behind.
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

from ppdt_db.engine.interrupt import undisturbed
from ppdt_db.errors import EngineError, RequestError

OURS = re.compile(r"\.?ppdt-\d+-[0-9a-f]{16}")
TRIES = 5


@contextmanager
def run_folder(place: Path, *, is_hidden: bool = False) -> Iterator[Path]:
    """A new folder inside of a place, for as long as the block lasts; sweeps the place first."""
    sweep(place)
    folder, handle = _taken(place, "." if is_hidden else "")
    owner = os.getpid()
    try:
        yield folder
    finally:
        with undisturbed():
            # A fork of the process has the folder of its parent.
            if os.getpid() == owner:
                _remove(folder)
            os.close(handle)


def system_place() -> Path:
    """The system's folder for temporary files; never another one than TMPDIR asks for."""
    asked = os.environ.get("TMPDIR")
    if asked:
        if not Path(asked).is_dir():
            raise RequestError(f"TMPDIR {asked}: the folder does not exist. Make it first.")
        return Path(asked).absolute()
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise EngineError(f"no temporary file can be made: {error.strerror}. Set TMPDIR.") from None


def sweep(place: Path) -> None:
    """Remove the folders of runs that are over, which were killed before they could."""
    with suppress(OSError):
        for left in [entry for entry in place.iterdir() if OURS.fullmatch(entry.name)]:
            # Another user's folder may be seen but not removed: it is theirs to clean.
            with suppress(OSError):
                _sweep_one(left)


def _sweep_one(left: Path) -> None:
    """Remove a folder unless its run goes on."""
    handle = _opened(left)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(left)
    finally:
        os.close(handle)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise EngineError(
            f"{folder} cannot be removed: {error.strerror}. It may hold values of the source: "
            "remove it yourself."
        ) from None


def _taken(place: Path, prefix: str) -> tuple[Path, int]:
    """A new folder with its lock; a sweep of another run may come between the two."""
    for _ in range(TRIES):
        folder = place / f"{prefix}ppdt-{os.getpid()}-{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700, parents=True)
        with suppress(FileNotFoundError):
            handle = _opened(folder)
            if _is_ours(handle) and folder.exists():
                return folder, handle
            os.close(handle)
    raise EngineError(f"{place}: other runs remove every folder that is made there. Try again.")


def _opened(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def _is_ours(handle: int) -> bool:
    """Whether no sweep has the lock of a folder that was just made."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks, such as some in the network: nobody sweeps there.
        return True
    return True
