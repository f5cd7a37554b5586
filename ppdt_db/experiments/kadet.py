"""The experiment of Friedman et al. on Adult, one tree at a time, stored as soon as it is known."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import GuaranteeError
from ppdt_db.evaluate.learners import AnyLearner
from ppdt_db.evaluate.perturb import Privacy
from ppdt_db.evaluate.plan import EvaluationPlan
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.experiments.adult import complete
from ppdt_db.experiments.folds import check_files
from ppdt_db.experiments.kadet_data import (
    CATEGORIES,
    COLUMNS,
    FEATURES,
    TARGET,
    TDS,
    TDS_BOTH,
    Figure,
)
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn.api import fit
from ppdt_db.learn.kadet.certainty import least_l
from ppdt_db.learn.kadet.kadet import Kadet, KadetTree, TreeForm
from ppdt_db.learn.model import TreeModel
from ppdt_db.learn.trees.learners import C45, ID3
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.methods import METHODS
from ppdt_db.policy.roles import Attribute
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident

KADET = "kadet"
PLAIN: Mapping[str, AnyLearner] = {"id3": ID3(missing="branch"), "c45": C45()}


@dataclass(frozen=True, kw_only=True)
class KadetCell:
    """One tree: kADET's, one learnt from a release of TDS, or one without anonymity.

    The form gives the attributes, and the learner on a release. A limit in percent replaces k.
    """

    form: TreeForm
    method: str
    k: int
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class KadetResult:
    """The result of a tree; rows are test rows, except that exposed ones are training rows."""

    cell: KadetCell
    seconds: float
    n_rows: int
    n_right: int
    size: int
    root: str | None
    exposed: float | None = None
    """Percent of the training rows."""
    k_measured: float | None = None
    l_measured: float | None = None

    @property
    def error(self) -> float:
        """The share of the test rows classified wrongly."""
        return 100 * (self.n_rows - self.n_right) / self.n_rows


def cells_of(figure: Figure, ks: Sequence[int], limits: Sequence[float]) -> list[KadetCell]:
    """Return every tree that a figure needs."""
    found: list[KadetCell] = []
    for form in figure.forms:
        found += [KadetCell(form=form, method=name, k=1) for name in figure.originals]
        if figure.axis == "limit":
            found += [KadetCell(form=form, method=KADET, k=1, limit=limit) for limit in limits]
            continue
        methods = [KADET, TDS, TDS_BOTH] if figure.has_tds else [KADET]
        found += [KadetCell(form=form, method=method, k=k) for k in ks for method in methods]
    return found


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    hierarchies: Path,
    cells: Sequence[KadetCell],
    record: ResultsFile[KadetResult],
    progress: Progress = no_progress,
) -> None:
    """Measure the trees missing from the record."""
    missing = [cell for cell in dict.fromkeys(cells) if cell not in record.cells]
    check_files(hierarchies, [f"{name}.csv" for name in CATEGORIES], "--hierarchies")
    n_done = 0
    for form in FEATURES:
        for part in ("train", "*"):
            own = [
                cell
                for cell in missing
                if cell.form == form and (cell.method == TDS_BOTH) == (part == "*")
            ]
            if not own:
                continue
            with _rounds(con, folder, form, part) as rounds:
                for cell in own:
                    progress("evaluate", n_done / len(missing))
                    record.add(_run_tree(rounds, hierarchies, cell))
                    n_done += 1


@contextmanager
def _rounds(
    con: duckdb.DuckDBPyConnection, folder: Path, form: TreeForm, part: str
) -> Iterator[Rounds]:
    """Return the rounds over Adult's complete rows, to release (a part or all) and to test on."""
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared():
        rows, test = (complete(engine, folder, name, COLUMNS) for name in (part, "test"))
        if part == "*":
            complete(engine, folder, "train", COLUMNS)
        columns = Columns(target=TARGET, features=FEATURES[form])
        rounds = Rounds(engine, rows, columns, [], 1, has_number=True)
        rounds.deal(EvaluationPlan(), stratified=False)
        rounds.hold_out(test, with_all=False)
        rounds.part(0, 0)
        yield rounds


def _run_tree(rounds: Rounds, hierarchies: Path, cell: KadetCell) -> KadetResult:
    """Learn and test."""
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
    elif cell.method in (TDS, TDS_BOTH):
        quasi = [Attribute(name, hierarchy=files.get(name)) for name in rounds.columns.features]
        privacy = Privacy(method=METHODS[TDS](k=cell.k), quasi=quasi)
    since = time.perf_counter()
    with rounds.shown(learner, privacy) as shown:
        train, test = shown.train, shown.test
        if privacy is not None and cell.method == TDS_BOTH:
            train = rounds.recoded(_train_rows(rounds), privacy, shown.train)
        try:
            model = fit(rounds.engine, train, rounds.columns, learner)
        except GuaranteeError as error:
            option = f"--k {cell.k}" if cell.limit is None else f"--limit {cell.limit:g}"
            raise GuaranteeError(f"{option}, {cell.form} form: {error}") from None
        seconds = time.perf_counter() - since
        assert isinstance(model, TreeModel | KadetTree)
        if privacy is not None and rounds.held_out is not None and cell.method == TDS_BOTH:
            # The relation of recoded rows is one and the same: that of the training rows is done.
            test = rounds.recoded(rounds.held_out, privacy, shown.train)
        confusion = model.confusion(rounds.engine, test, TARGET)
    return KadetResult(
        cell=cell,
        seconds=round(seconds, 3),
        n_rows=sum(confusion.values()),
        n_right=sum(n for (truth, predicted), n in confusion.items() if truth == predicted),
        size=model.size,
        root=model.tree.nodes[0].attribute,
        exposed=_exposed(model),
        k_measured=_certificate_figure(model, "k_measured"),
        l_measured=_certificate_figure(model, "l_measured"),
    )


def _train_rows(rounds: Rounds) -> Source:
    """Return the training rows among those that were released together with the test rows."""
    columns = {name: rounds.source.columns[name] for name in COLUMNS}
    title = "ppdt_adult_train"
    return Source(kind="table", title=title, relation=ident(title), columns=columns)


def _certificate_figure(model: TreeModel | KadetTree, name: str) -> float | None:
    """Return a figure of a tree's certificate, if it has one."""
    value = model.certificate.get(name) if isinstance(model, KadetTree) else None
    return value if isinstance(value, int | float) else None


def _exposed(model: TreeModel | KadetTree) -> float | None:
    n_rows, n_exposed = (
        _certificate_figure(model, "rows"),
        _certificate_figure(model, "rows_exposed"),
    )
    return 100 * n_exposed / n_rows if n_rows and n_exposed is not None else None
