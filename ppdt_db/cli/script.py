"""The SQL script of a run (--sql-log)."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ppdt_db.engine.atomic_file import write_atomically
from ppdt_db.engine.script import heading
from ppdt_db.errors import RequestError


def check_script(path: Path | None, used: Iterable[Path | str | None]) -> None:
    """Refuse a script that would overwrite an input or output of the run."""
    if path is None:
        return
    if any(name is not None and path.resolve() == Path(name).resolve() for name in used):
        raise RequestError(f"--sql-log {path}: the run uses this file. Choose another one.")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK) or path.is_dir():
        raise RequestError(f"--sql-log {path}: not writable.")


@contextmanager
def script(path: Path | None) -> Iterator[TextIO | None]:
    """Yield the open script file, or None if there is no --sql-log.

    The variables that it needs are known at the end, and are then written at its top.
    """
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise RequestError(f"--sql-log {path}: it cannot be written: {error.strerror}.") from None
    try:
        yield file
    finally:
        # All statements are written; an error was reported when it occurred.
        with suppress(OSError):
            file.close()
            if path.is_file():
                text = path.read_text("utf-8")
                write_atomically(path, heading(text) + text)
