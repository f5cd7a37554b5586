"""The experiment of Friedman et al. on Adult, one tree at a time, each kept as soon as known."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import GuaranteeError
from ppdt_db.evaluate.learners import Any
from ppdt_db.evaluate.papers.adult import complete
from ppdt_db.evaluate.papers.kadet_data import (
    CATEGORIES,
    COLUMNS,
    FEATURES,
    TARGET,
    TDS,
    Figure,
    least_l,
)
from ppdt_db.evaluate.papers.kept import Kept, check_files
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.plan import Plan
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.learn.api import fit
from ppdt_db.learn.kadet import Form, Kadet, KadetTree
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.model import TreeModel
from ppdt_db.learn.trees import C45, ID3
from ppdt_db.methods import METHODS
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.policy import Attribute

KADET = "kadet"
PLAIN: Mapping[str, Any] = {"id3": ID3(missing="branch"), "c45": C45()}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One tree: kADET's, one learnt from a release of TDS, or one without anonymity.

    The form says of which attributes it is, and who learns from a release. A limit in percent
    takes the place of k.
    """

    form: Form
    method: str
    k: int
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a tree came to; rows are those tested on, but the exposed ones were learnt from."""

    cell: Cell
    seconds: float
    n_rows: int
    n_right: int
    size: int
    root: str | None
    exposed: float | None = None
    """Percent of the rows that were learnt from."""
    k_measured: float | None = None
    l_measured: float | None = None

    @property
    def error(self) -> float:
        """The share of the test rows that was wrong, in percent."""
        return 100 * (self.n_rows - self.n_right) / self.n_rows


class Record(Kept[Measured]):
    """The trees that are known; with a file, every new one is written to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(Measured, Cell, path)


def cells_of(figure: Figure, ks: Sequence[int], limits: Sequence[float]) -> list[Cell]:
    """Every tree that a figure needs."""
    found: list[Cell] = []
    for form in figure.forms:
        found += [Cell(form=form, method=name, k=1) for name in figure.originals]
        if figure.axis == "limit":
            found += [Cell(form=form, method=KADET, k=1, limit=limit) for limit in limits]
            continue
        methods = [KADET, TDS] if figure.has_tds else [KADET]
        found += [Cell(form=form, method=method, k=k) for k in ks for method in methods]
    return found


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    hierarchies: Path,
    cells: Sequence[Cell],
    record: Record,
    progress: Progress = no_progress,
) -> None:
    """Measure the trees that the record lacks."""
    missing = [cell for cell in dict.fromkeys(cells) if cell not in record.cells]
    check_files(hierarchies, [f"{name}.csv" for name in CATEGORIES], "--hierarchies")
    n_done = 0
    for form in FEATURES:
        own = [cell for cell in missing if cell.form == form]
        if not own:
            continue
        with _rounds(con, folder, form) as rounds:
            for cell in own:
                progress("evaluate", n_done / len(missing))
                record.add(_taken(rounds, hierarchies, cell))
                n_done += 1


@contextmanager
def _rounds(con: duckdb.DuckDBPyConnection, folder: Path, form: Form) -> Iterator[Rounds]:
    """Adult's complete rows, those to learn from and those to test on."""
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared():
        train, test = (complete(engine, folder, part, COLUMNS) for part in ("train", "test"))
        columns = Columns(target=TARGET, features=FEATURES[form])
        rounds = Rounds(engine, train, columns, [], 1, has_number=True)
        rounds.deal(Plan(), stratified=False)
        rounds.hold_out(test, with_all=False)
        rounds.part(0, 0)
        yield rounds


def _taken(rounds: Rounds, hierarchies: Path, cell: Cell) -> Measured:
    """Learn, and test."""
    files = {name: hierarchies / f"{name}.csv" for name in CATEGORIES}
    learner, privacy = PLAIN.get(cell.method, PLAIN[cell.form]), None
    if cell.method == KADET:
        learner = Kadet(
            k=cell.k,
            l=None if cell.limit is None else least_l(cell.limit),
            public=rounds.columns.features,
            form=cell.form,
            hierarchies=files,
        )
    elif cell.method == TDS:
        quasi = [Attribute(name, hierarchy=files.get(name)) for name in rounds.columns.features]
        privacy = Privacy(method=METHODS[TDS](k=cell.k), quasi=quasi)
    since = time.perf_counter()
    with rounds.shown(learner, privacy) as shown:
        try:
            model = fit(rounds.engine, shown.train, rounds.columns, learner)
        except GuaranteeError as error:
            asked = f"--k {cell.k}" if cell.limit is None else f"--limit {cell.limit:g}"
            raise GuaranteeError(f"{asked}, {cell.form} form: {error}") from None
        seconds = time.perf_counter() - since
        assert isinstance(model, TreeModel | KadetTree)
        taken = model.confusion(rounds.engine, shown.test, TARGET)
    return Measured(
        cell=cell,
        seconds=round(seconds, 3),
        n_rows=sum(taken.values()),
        n_right=sum(n for (truth, predicted), n in taken.items() if truth == predicted),
        size=model.size,
        root=model.tree.nodes[0].attribute,
        exposed=_exposed(model),
        k_measured=_told(model, "k_measured"),
        l_measured=_told(model, "l_measured"),
    )


def _told(model: TreeModel | KadetTree, name: str) -> float | None:
    """A figure of a tree's certificate, where it has one."""
    value = model.certificate.get(name) if isinstance(model, KadetTree) else None
    return value if isinstance(value, int | float) else None


def _exposed(model: TreeModel | KadetTree) -> float | None:
    n_rows, n_exposed = _told(model, "rows"), _told(model, "rows_exposed")
    return 100 * n_exposed / n_rows if n_rows and n_exposed is not None else None
