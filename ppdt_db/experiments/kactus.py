"""The experiments of Kisilevich et al., one cell at a time, each stored as soon as it is known."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Literal

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.discretize import discretize
from ppdt_db.evaluate.learners import LEARNERS
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.plan import read_plan
from ppdt_db.evaluate.result import Fold
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.experiments.adult import complete
from ppdt_db.experiments.folds import check_files, grouped, mean_of_known
from ppdt_db.experiments.kactus_data import (
    DATA,
    KADET,
    QUASI,
    attributes,
    kadet,
    made,
    printed,
    quasi_of,
    takes_hierarchies,
)
from ppdt_db.experiments.results_file import keep_figure, read_figures
from ppdt_db.learn.trees.training_set import find_columns
from ppdt_db.policy.roles import Attribute
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import opened

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


@dataclass(frozen=True, kw_only=True)
class KactusResult:
    """The result of a cell: the share classified correctly in every round."""

    cell: KactusCell
    accuracies: Sequence[float]
    gcp: float | None
    seconds: float

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
        )
        for seed in seeds
        for name, quasi, learner, k in lines
        if name in wanted_data and learner in wanted_learners
        for method in methods
        if method != KADET or learner == "c45"
    ]
    return list(dict.fromkeys(cells))


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[KactusCell],
    record: KactusRecord,
    progress: Progress = no_progress,
) -> None:
    """Measure the cells missing from the record; all learners of a round share a release."""
    missing = [cell for cell in cells if cell not in record.cells]
    check_folder(folder, [cell.data for cell in missing])
    done = iter(range(len(missing) + 1))

    def step() -> None:
        progress("evaluate", next(done) / max(1, len(missing)))

    step()
    for own in grouped(missing, lambda c: (c.data, c.seed, c.discretized, c.cv, c.is_complete)):
        with _dealt(con, folder, own[0]) as rounds:
            for together in grouped(own, lambda c: (c.quasi, c.method, c.k, c.has_hierarchies)):
                for found in _together(folder, rounds, together):
                    record.add(found)
                    step()


@contextmanager
def _dealt(con: duckdb.DuckDBPyConnection, folder: Path, cell: KactusCell) -> Iterator[Rounds]:
    """Return a data set, dealt to folds."""
    file, target = DATA[cell.data]
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, folder / file) as read:
        rows = complete(engine, folder, "*") if cell.is_complete else read
        source = discretize(engine, rows, target) if cell.discretized else rows
        columns = find_columns(source, target, None, None)
        rounds = Rounds(engine, source, columns, [], cell.seed, has_number=True)
        rounds.deal(read_plan(cell.cv), stratified=False)
        yield rounds


def _together(folder: Path, rounds: Rounds, cells: Sequence[KactusCell]) -> list[KactusResult]:
    """Return groups of cells that differ only in the learner."""
    first = cells[0]
    quasi: Sequence[str | Attribute] = QUASI[first.quasi] or rounds.columns.features
    if first.has_hierarchies:
        names = [str(name) for name in quasi]
        quasi = attributes(folder, first.data, names, rounds.source.columns)
    privacy = None
    learners = {cell.learner: LEARNERS[cell.learner]({}) for cell in cells}
    if first.method == KADET:
        learners = {first.learner: kadet(first.k, quasi, rounds.columns.features)}
    elif first.method != ORIGINAL:
        privacy = Privacy(method=made(first.method, first.k), quasi=quasi)
    folds: Mapping[str, list[Fold]] = {name: [] for name in learners}
    seconds = dict.fromkeys(learners, 0.0)
    for repeat, fold in read_plan(first.cv).rounds:
        rounds.part(repeat, fold)
        with rounds.shown(learners[first.learner], privacy) as shown:
            for name, learner in learners.items():
                since = time.perf_counter()
                folds[name].append(rounds.learn_and_test(repeat, fold, learner, shown))
                seconds[name] += time.perf_counter() - since
    return [
        KactusResult(
            cell=cell,
            accuracies=[fold.accuracy for fold in folds[cell.learner]],
            gcp=mean_of_known([fold.gcp for fold in folds[cell.learner]]),
            seconds=round(seconds[cell.learner], 3),
        )
        for cell in cells
    ]


def check_folder(folder: Path, names: Iterable[str]) -> None:
    """Raise if the file of a data set is missing."""
    check_files(folder, [DATA[name][0] for name in names])
