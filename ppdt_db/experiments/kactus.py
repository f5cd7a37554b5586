"""The cells of Kisilevich et al.'s tables, and their figures, stored as soon as they are known."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Literal

from ppdt_db.experiments.kactus_data import (
    KADET,
    MIN_K,
    RIDGE,
    printed,
    quasi_of,
    takes_hierarchies,
)
from ppdt_db.experiments.results_file import keep_figure, read_figures

ORIGINAL = "original"
ADULT = "adult"
RowChoice = Literal["complete", "all"]


@dataclass(frozen=True, kw_only=True)
class KactusCell:
    """One accuracy of a table, with one seed."""

    data: str
    quasi: str
    learner: str
    method: str
    k: int
    seed: int
    discretized: bool = False
    cv: str = "5x2"
    has_hierarchies: bool = False
    is_complete: bool = False
    """True if rows that miss a value are left out, as the paper does it with Adult."""
    ridge: float | None = None
    """The penalty of logistic regression."""
    min_rows: int = 2
    """The rows that two branches of a split must hold in the tree of kACTUS."""


@dataclass(frozen=True, kw_only=True)
class KactusResult:
    """The result of a cell: the share classified correctly in every round."""

    cell: KactusCell
    accuracies: Sequence[float]
    gcp: float | None
    seconds: float
    n_rows: int = 0
    """The rows that a repetition tests; 0 in files that do not have it."""

    @property
    def accuracy(self) -> float:
        """The mean, in percent."""
        return 100 * fmean(self.accuracies)

    @property
    def sd(self) -> float:
        """The standard deviation over the rounds, in percent."""
        return 100 * stdev(self.accuracies) if len(self.accuracies) > 1 else 0.0


@dataclass(frozen=True, kw_only=True)
class Scaled:
    """A line of table 6: the seconds of a method on a multiple of Adult's complete rows."""

    sigma: int
    method: str
    n_rows: int
    tree_seconds: float
    seconds: float
    peak_memory_mb: int


class KactusRecord:
    """The cells known so far; with a file, every new one is written to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.cells: dict[KactusCell, KactusResult] = {}
        self.scaled: dict[tuple[int, str], Scaled] = {}
        known: Iterable[KactusResult | Scaled] = (
            read_figures(path, _read) if path is not None else ()
        )
        for found in known:
            self._keep(found)

    def add(self, found: KactusResult | Scaled) -> None:
        """Store a figure."""
        self._keep(found)
        if self.path is not None:
            text = asdict(found)
            keep_figure(self.path, {**text.pop("cell", {}), **text})

    def _keep(self, found: KactusResult | Scaled) -> None:
        if isinstance(found, Scaled):
            self.scaled[found.sigma, found.method] = found
        else:
            self.cells[found.cell] = found


def _read(line: str) -> KactusResult | Scaled | None:
    """Return a figure as it was written, or None."""
    try:
        text = json.loads(line)
        if "sigma" in text:
            return Scaled(**text)
        cell = KactusCell(
            **{name: text.pop(name) for name in KactusCell.__dataclass_fields__ if name in text}
        )
        return KactusResult(cell=cell, **text)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def cells_of(
    table: int,
    methods: Sequence[str],
    *,
    learners: Iterable[str],
    data: Iterable[str],
    seeds: Iterable[int],
    discretized: bool = False,
    cv: str = "5x2",
    rows: RowChoice = "complete",
) -> list[KactusCell]:
    """Return all cells of a table: every method at every k, and the original as k = 1."""
    lines = dict.fromkeys(
        (p.data, quasi_of(p), p.learner, p.k) for p in printed() if p.table == table
    )
    wanted_data, wanted_learners = set(data), set(learners)
    cells = [
        KactusCell(
            data=name,
            quasi=quasi,
            learner=learner,
            method=ORIGINAL if k == 1 else method,
            k=k,
            seed=seed,
            discretized=discretized,
            cv=cv,
            has_hierarchies=k > 1 and takes_hierarchies(table, method),
            is_complete=rows == "complete" and name == ADULT,
            ridge=RIDGE if learner == "logistic" else None,
            min_rows=k if method == MIN_K and k > 1 else 2,
        )
        for seed in seeds
        for name, quasi, learner, k in lines
        if name in wanted_data and learner in wanted_learners
        for method in methods
        if method != KADET or learner == "c45"
    ]
    return list(dict.fromkeys(cells))
