"""The script of a run, where one is asked for by --sql-log."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ppdt_db.engine.script import heading
from ppdt_db.errors import RequestError
from ppdt_db.whole_file import write_whole


def check_script(path: Path | None, used: Iterable[Path | str | None]) -> None:
    """Refuse a script that would be written over what is read or written."""
    if path is None:
        return
    if any(name is not None and path.resolve() == Path(name).resolve() for name in used):
        raise RequestError(f"--sql-log {path}: this file is used in this run. Take another one.")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK) or path.is_dir():
        raise RequestError(f"--sql-log {path}: this cannot be written to.")


@contextmanager
def script(path: Path | None) -> Iterator[TextIO | None]:
    """The file of the script, open for as long as the block lasts; none where none is asked for.

    What it asks for is known at the end, and stands at its beginning.
    """
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise RequestError(
            f"--sql-log {path}: this cannot be written to: {error.strerror}."
        ) from None
    try:
        yield file
    finally:
        # All of it is written: what failed was told then.
        with suppress(OSError):
            file.close()
            if path.is_file():
                text = path.read_text("utf-8")
                write_whole(path, heading(text) + text)
