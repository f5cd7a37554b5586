"""Files that come into their place whole or not at all."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ppdt_db.engine.spill import run_folder

PART, OLD = "part", "replaced"


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """A path out of sight in the target's folder, which is removed when the block ends."""
    with run_folder(path.parent, is_hidden=True) as folder:
        yield folder / PART


@contextmanager
def in_place(part: Path, path: Path, *, replace: bool) -> Iterator[None]:
    """Let a file take its place; should the block fail, what stood there comes back."""
    old = part.with_name(OLD)
    if path.exists():
        if not replace:
            raise FileExistsError(errno.EEXIST, "it was made meanwhile")
        _copy(path, old)
    part.replace(path)
    try:
        yield
    except BaseException:
        if old.exists():
            old.replace(path)
        else:
            path.unlink(missing_ok=True)
        raise


def write_whole(path: Path, text: str) -> None:
    """Write a text: half a certificate would certify nothing. A device or a pipe takes it as is."""
    place = path.resolve()
    if place.exists() and not place.is_file():
        place.write_text(text, "utf-8")
        return
    if not place.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    with beside(place) as part:
        part.write_text(text, "utf-8")
        part.replace(place)


def _copy(path: Path, to: Path) -> None:
    """A second name for a file; a second file where the file system has one name for each."""
    try:
        to.hardlink_to(path)
    except OSError:
        shutil.copy2(path, to)
