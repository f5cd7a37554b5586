"""Measure the cells of Kisilevich et al.: what differs only in the method or k shares its work."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from ppdt_db.engine import DuckEngine, connect
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.discretize import discretize
from ppdt_db.evaluate.learners import AnyLearner
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.plan import read_plan
from ppdt_db.evaluate.result import Fold
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.experiments.adult import complete
from ppdt_db.experiments.folds import check_files, grouped, mean_of_known
from ppdt_db.experiments.kactus import ORIGINAL, KactusCell, KactusRecord, KactusResult
from ppdt_db.experiments.kactus_data import (
    DATA,
    KADET,
    OF_KACTUS,
    QUASI,
    attributes,
    kadet,
    learner_of,
    made,
)
from ppdt_db.experiments.side_by_side import side_by_side
from ppdt_db.learn.trees.learners import C45, learn_tree
from ppdt_db.learn.trees.training_set import find_columns
from ppdt_db.policy.roles import Attribute
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import opened
from ppdt_db.tree.tree import Tree

# The tree of these depends on the training part only: it is grown once for all k.
SHARING = OF_KACTUS


@dataclass(frozen=True)
class Dealt:
    """A data set dealt to folds, and the trees grown on training parts, which all k share."""

    rounds: Rounds
    columns: Mapping[str, str]
    """The types of the columns in the file, before numbers are discretized."""
    trees: dict[tuple[int, int, str, int], Tree] = field(default_factory=dict)

    def tree(self, repeat: int, fold: int, quasi: str, min_rows: int) -> Tree:
        """Return the tree of the current part over some quasi-identifiers, as kACTUS grows it."""
        key = (repeat, fold, quasi, min_rows)
        if key not in self.trees:
            rounds, target = self.rounds, self.rounds.columns.target
            part = rounds.training_part
            columns = find_columns(part, target, QUASI[quasi] or rounds.columns.features, None)
            learner = C45(min_rows=min_rows, missing="branch")
            self.trees[key] = learn_tree(rounds.engine, part, columns, learner, no_progress)
        return self.trees[key]


class KactusDesk:
    """A database of its own, with the data set that was dealt last."""

    def __init__(self, folder: Path, limits: Mapping[str, Any]) -> None:
        self.folder = folder
        self.con = connect(None, **limits)
        self._held = ExitStack()
        self._data: tuple[object, ...] = ()
        self._dealt: Dealt | None = None

    def run(self, cells: Sequence[KactusCell]) -> list[KactusResult]:
        """Measure cells that are learnt from the same releases."""
        if self._dealt is None or self._data != _data_of(cells[0]):
            self._held.close()
            self._dealt = self._held.enter_context(_dealt(self.con, self.folder, cells[0]))
            self._data = _data_of(cells[0])
        return _together(self.folder, self._dealt, cells)

    def close(self) -> None:
        """Drop everything."""
        self._held.close()
        self.con.close()


def measure(
    folder: Path,
    cells: Sequence[KactusCell],
    record: KactusRecord,
    progress: Progress = no_progress,
    *,
    jobs: int = 1,
    limits: Mapping[str, Any] | None = None,
) -> None:
    """Measure the cells missing from the record; all learners of a round share a release.

    With several jobs, groups of cells run side by side in processes, each within the limits.
    """
    missing = [cell for cell in cells if cell not in record.cells]
    check_folder(folder, [cell.data for cell in missing])
    groups = [
        together for own in grouped(missing, _data_of) for together in grouped(own, _release_of)
    ]
    done = iter(range(len(missing) + 1))

    def step() -> None:
        progress("evaluate", next(done) / max(1, len(missing)))

    step()
    make_desk = partial(KactusDesk, folder, limits or {})
    for results in side_by_side(make_desk, groups, min(jobs, len(groups))):
        for found in results:
            record.add(found)
            step()


def _data_of(cell: KactusCell) -> tuple[object, ...]:
    """Return what cells have in common that are measured on the same folds."""
    return cell.data, cell.seed, cell.discretized, cell.cv, cell.is_complete


def _release_of(cell: KactusCell) -> tuple[object, ...]:
    """Return what cells have in common that are learnt from the same releases."""
    return cell.quasi, cell.method, cell.k, cell.has_hierarchies, cell.min_rows


@contextmanager
def _dealt(con: duckdb.DuckDBPyConnection, folder: Path, cell: KactusCell) -> Iterator[Dealt]:
    """Return a data set, dealt to folds."""
    file, target = DATA[cell.data]
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, folder / file) as read:
        rows = complete(engine, folder, "*") if cell.is_complete else read
        source = discretize(engine, rows, target) if cell.discretized else rows
        columns = find_columns(source, target, None, None)
        rounds = Rounds(engine, source, columns, [], cell.seed, has_number=True)
        rounds.deal(read_plan(cell.cv), stratified=False)
        yield Dealt(rounds, rows.columns)


def _together(folder: Path, dealt: Dealt, cells: Sequence[KactusCell]) -> list[KactusResult]:
    """Measure cells that differ only in the learner."""
    first, rounds = cells[0], dealt.rounds
    quasi: Sequence[str | Attribute] = QUASI[first.quasi] or rounds.columns.features
    if first.has_hierarchies:
        names = [str(name) for name in quasi]
        quasi = attributes(folder, first.data, names, dealt.columns)
    learners: Mapping[str, AnyLearner] = {
        cell.learner: learner_of(cell.learner, cell.ridge) for cell in cells
    }
    if first.method == KADET:
        learners = {first.learner: kadet(first.k, quasi, rounds.columns.features)}
    folds: Mapping[str, list[Fold]] = {name: [] for name in learners}
    seconds = dict.fromkeys(learners, 0.0)
    plan = read_plan(first.cv)
    for repeat, fold in plan.rounds:
        rounds.part(repeat, fold)
        privacy = None
        if first.method not in (KADET, ORIGINAL):
            more: dict[str, object] = {}
            if first.method in SHARING:
                more = {"tree": dealt.tree(repeat, fold, first.quasi, first.min_rows)}
            elif first.method in OF_KACTUS:
                more = {"min_rows": first.min_rows}
            privacy = Privacy(method=made(first.method, first.k, **more), quasi=quasi)
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
            n_rows=sum(fold.n_rows for fold in folds[cell.learner]) // plan.n_repeats,
        )
        for cell in cells
    ]


def check_folder(folder: Path, names: Iterable[str]) -> None:
    """Raise if the file of a data set is missing."""
    check_files(folder, [DATA[name][0] for name in names])
