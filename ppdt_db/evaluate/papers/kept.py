"""Figures of an experiment in a file: each kept as soon as it is known, none measured twice."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from ppdt_db.errors import RequestError

Figure = TypeVar("Figure")


def read_figures(path: Path, read: Callable[[str], Figure | None]) -> Iterator[Figure]:
    """The figures of a file that `--resume` names; `read` gives None for what is none."""
    if not path.exists():
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        found = read(line)
        if found is None:
            raise RequestError(
                f"--resume {path}: line {number} is no figure of this experiment. Remove "
                "the line, or name another file."
            )
        yield found


def keep_figure(path: Path, figure: Mapping[str, object]) -> None:
    """Write a figure to the end of the file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(figure) + "\n")


def check_files(folder: Path, files: Iterable[str]) -> None:
    """Raise where a data set's file is not there."""
    lacking = [name for name in dict.fromkeys(files) if not any(folder.glob(name))]
    if lacking:
        raise RequestError(*(f"--data: the folder has no file {name}." for name in lacking))
