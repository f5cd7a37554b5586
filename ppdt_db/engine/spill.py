"""A folder of a run's own for what does not fit into memory, removed whatever ends the run.

The folder is locked by its run. The system drops the lock with the process, also after a kill, so
the next run in the same place can tell what was left behind from what a neighbour still needs.
"""

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ppdt_db.errors import EngineError, RequestError

OURS = re.compile(r"ppdt-\d+-[0-9a-f]{16}")
TRIES = 5


@contextmanager
def run_folder(place: Path) -> Iterator[Path]:
    """A new folder inside of a place, for as long as the block lasts; sweeps the place first."""
    sweep(place)
    folder, lock = _taken(place)
    try:
        yield folder
    finally:
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise EngineError(
                f"{folder} cannot be removed: {error.strerror}. It may hold values of the source: "
                "remove it yourself."
            ) from None
        finally:
            os.close(lock)


def sweep(place: Path) -> None:
    """Remove the folders of runs that are over, which were killed before they could."""
    for left in sorted(place.glob("ppdt-*")):
        if not OURS.fullmatch(left.name) or left.is_symlink() or not left.is_dir():
            continue
        lock = _locked(left)
        if lock is not None:
            # Another user's folder may be seen but not removed: it is theirs to clean.
            with suppress(FileNotFoundError, PermissionError):
                shutil.rmtree(left)
            os.close(lock)


def _taken(place: Path) -> tuple[Path, int]:
    """A new folder with its lock; a sweep of another run may come between the two."""
    for _ in range(TRIES):
        folder = place / f"ppdt-{os.getpid()}-{secrets.token_hex(8)}"
        try:
            folder.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise RequestError(
                f"--temp-directory {place}: no folder can be made there: {error.strerror}."
            ) from None
        lock = _locked(folder)
        if lock is not None:
            if folder.exists():
                return folder, lock
            os.close(lock)
    raise EngineError(f"{place}: no folder there could be locked. Name another --temp-directory.")


def _locked(folder: Path) -> int | None:
    """The lock of a folder, unless its run goes on."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
