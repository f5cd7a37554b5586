"""Data sets, groups of folds, and means over them, for all experiments."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypeVar

from ppdt_db.errors import RequestError

Of = TypeVar("Of")


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """A data set: its file, its class, and its columns whose numbers stand for categories."""

    file: str
    target: str
    words: tuple[str, ...] = ()


def check_files(folder: Path, files: Iterable[str], option: str = "--data") -> None:
    """Raise if a file of the experiment is missing."""
    lacking = [name for name in dict.fromkeys(files) if not any(folder.glob(name))]
    if lacking:
        raise RequestError(
            *(
                (f"{option}: the folder has no file {name}. Add it, or name another folder.")
                for name in lacking
            )
        )


def grouped(cells: Iterable[Of], key: Callable[[Of], Hashable]) -> list[list[Of]]:
    """Return the cells of each key together, in the order of their first ones."""
    found: dict[Hashable, list[Of]] = {}
    for cell in cells:
        found.setdefault(key(cell), []).append(cell)
    return list(found.values())


def mean_of_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of those that are known; None if none is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
