"""Write files atomically: a file appears complete or not at all."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ppdt_db.engine.run_folder import run_folder

PART, OLD = "part", "replaced"


@contextmanager
def temporary_sibling(path: Path) -> Iterator[Path]:
    """Yield a hidden path in the target's folder; it is removed when the block ends."""
    with run_folder(path.parent, is_hidden=True) as folder:
        yield folder / PART


@contextmanager
def swap_into_place(part: Path, path: Path, *, replace: bool) -> Iterator[None]:
    """Move a file into its place; if the block fails, restore the previous file."""
    old = part.with_name(OLD)
    if path.exists():
        if not replace:
            raise FileExistsError(errno.EEXIST, "it was created during the run")
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


def write_atomically(path: Path, text: str, mode: int | None = None) -> None:
    """Write a text file atomically; write directly to a device or a pipe.

    `mode` is the permissions of a file, instead of the usual ones.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, "utf-8")
        return
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    with temporary_sibling(target) as part:
        part.write_text(text, "utf-8")
        if mode is not None:
            part.chmod(mode)
        part.replace(target)


def _copy(path: Path, to: Path) -> None:
    """Hard-link a file to a second name, or copy it where the file system has no hard links."""
    try:
        to.hardlink_to(path)
    except OSError:
        shutil.copy2(path, to)
