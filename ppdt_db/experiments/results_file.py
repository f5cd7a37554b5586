"""The file of an experiment's figures: each is stored as soon as it is known, and measured once."""

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_type_hints

from ppdt_db.errors import RequestError

Figure = TypeVar("Figure")


class Celled(Protocol):
    """A dataclass with the figures of one cell, which is itself a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def cell(self) -> Any:
        """The cell that was measured."""
        ...


Of = TypeVar("Of", bound=Celled)


class ResultsFile(Generic[Of]):
    """The cells known so far; with a file, every new one is written to it at once."""

    def __init__(self, figures: Callable[..., Of], path: Path | None = None) -> None:
        self.path = path
        self._figures = figures
        self._cell = get_type_hints(figures)["cell"]
        known = read_figures(path, self._read) if path is not None else ()
        self.cells: dict[Hashable, Of] = {found.cell: found for found in known}

    def add(self, found: Of) -> None:
        """Store the figures of a cell."""
        self.cells[found.cell] = found
        if self.path is not None:
            figure = asdict(found)
            keep_figure(self.path, {**figure.pop("cell"), **figure})

    def _read(self, line: str) -> Of | None:
        """Return the figures as they were written, or None."""
        try:
            figure = json.loads(line)
            cell = {name: figure.pop(name) for name in self._cell.__dataclass_fields__}
            return self._figures(cell=self._cell(**cell), **figure)
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def read_figures(path: Path, read: Callable[[str], Figure | None]) -> Iterator[Figure]:
    """Return the figures of a file that `--resume` names; `read` returns None for invalid lines."""
    if not path.exists():
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        found = read(line)
        if found is None:
            raise RequestError(
                f"--resume {path}: line {number} is not a figure of this experiment. Remove the "
                "line, or name another file."
            )
        yield found


def keep_figure(path: Path, figure: Mapping[str, object]) -> None:
    """Append a figure to the file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(figure, allow_nan=False) + "\n")
