"""The experiment of Yang et al., one fold at a time, each stored as soon as it is known."""

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.anonymize import anonymize
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.perturb import shape
from ppdt_db.evaluate.plan import EvaluationPlan
from ppdt_db.evaluate.rounds import RoundData, Rounds
from ppdt_db.experiments.erp_data import DATA, GROWING, N_FOLDS, ORIGINAL, made
from ppdt_db.experiments.erp_groups import Grouped
from ppdt_db.experiments.folds import check_files, grouped
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn.api import fit
from ppdt_db.learn.model import Model
from ppdt_db.learn.trees.learners import C45
from ppdt_db.learn.trees.training_set import find_columns
from ppdt_db.policy.roles import Attribute
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import Source, opened
from ppdt_db.sqltext.quoting import ident


@dataclass(frozen=True, kw_only=True)
class ErpCell:
    """One fold of one line of the table; `tree` and `min_rows` apply where a tree is grown.

    `min_rows` is None for the method's own default.
    """

    data: str
    method: str
    k: int
    tree: str | None
    min_rows: int | None
    seed: int
    fold: int


@dataclass(frozen=True, kw_only=True)
class ErpResult:
    """The result of a fold: how many test rows are classified rightly, by three protocols.

    `n_right` is of all rows, generalized in the groups that they take (the paper's protocol);
    `n_right_shown` of the `n_shown` rows that the rules of the release recode; `n_right_untouched`
    of all rows as they are.
    """

    cell: ErpCell
    seconds: float | None
    gcp: float | None
    n_rows: int
    n_shown: int
    n_right: int
    n_right_shown: int
    n_right_untouched: int
    size: int


def cells_of(
    data: Iterable[str],
    methods: Iterable[str],
    ks: Iterable[int],
    *,
    seed: int,
    n_folds: int,
    tree: str = "narrow",
    min_rows: int | None = None,
) -> list[ErpCell]:
    """Return every fold of every method at every k; the original has k = 1 only."""
    lines = [(name, m, k) for name in data for m in methods for k in ks]
    lines = [(name, m, 1 if m == ORIGINAL else k) for name, m, k in lines]
    return [
        ErpCell(
            data=name,
            method=method,
            k=k,
            tree=tree if method in GROWING else None,
            min_rows=min_rows if method in GROWING else None,
            seed=seed,
            fold=fold,
        )
        for fold in range(n_folds)
        for name, method, k in dict.fromkeys(lines)
    ]


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[ErpCell],
    record: ResultsFile[ErpResult],
    progress: Progress = no_progress,
) -> None:
    """Measure the folds missing from the record."""
    missing = [cell for cell in cells if cell not in record.cells]
    check_files(folder, [DATA[cell.data].file for cell in missing])
    n_done = 0
    for of_data in grouped(missing, lambda cell: (cell.data, cell.seed)):
        with _deal_folds(con, folder, of_data[0]) as rounds:
            for of_fold in grouped(of_data, lambda cell: cell.fold):
                rounds.part(0, of_fold[0].fold)
                for cell in of_fold:
                    progress("evaluate", n_done / len(missing))
                    record.add(_run_fold(rounds, cell))
                    n_done += 1


@contextmanager
def _deal_folds(con: duckdb.DuckDBPyConnection, folder: Path, cell: ErpCell) -> Iterator[Rounds]:
    """Return the complete rows of a data set, dealt to folds."""
    data = DATA[cell.data]
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, folder / data.file) as read:
        source = _complete_rows(engine, read, data.words)
        columns = find_columns(source, data.target, None, None)
        rounds = Rounds(engine, source, columns, [], cell.seed)
        rounds.deal(EvaluationPlan(n_folds=N_FOLDS), stratified=False)
        yield rounds


def _complete_rows(engine: DuckEngine, read: Source, words: Sequence[str]) -> Source:
    """Return the rows without missing values, with category names as text."""
    columns = {name: "VARCHAR" if name in words else of for name, of in read.columns.items()}
    names: dict[str, object] = {"source": read.relation, "columns": list(columns), "words": words}
    names["source"] = ident(engine.make("tools/bench/complete", names=names))
    table = engine.make("tools/bench/worded", names=names)
    return Source(kind="table", title=table, relation=ident(table), columns=columns)


def _run_fold(rounds: Rounds, cell: ErpCell) -> ErpResult:
    """Learn and test in one fold."""
    learner = C45()
    with rounds.shown(learner, None) as parts:
        if cell.method != ORIGINAL:
            return _run_on_release(rounds, cell, parts)
        model = fit(rounds.engine, parts.train, rounds.columns, learner)
        n_rows, n_right = _count_right(rounds, model, parts.test)
        return ErpResult(
            cell=cell,
            seconds=None,
            gcp=None,
            n_rows=n_rows,
            n_shown=n_rows,
            n_right=n_right,
            n_right_shown=n_right,
            n_right_untouched=n_right,
            size=model.size,
        )


def _run_on_release(rounds: Rounds, cell: ErpCell, parts: RoundData) -> ErpResult:
    """Anonymize the training part, learn from it, and test by each protocol."""
    engine, columns = rounds.engine, parts.train.columns
    quasi = [Attribute(name, shape("released", columns, name)) for name in rounds.columns.features]
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, f"{name}.parquet") for name in ("train", "groups", "rules")}
        method = made(cell.method, cell.k, cell.min_rows, cell.tree)
        since = time.perf_counter()
        release = anonymize(
            engine.con,
            engine.con.table(parts.train.title),
            quasi=quasi,
            target=rounds.columns.target,
            method=method,
            out=paths["train"],
            accept=list(method.requires_accept),
            seed=cell.seed,
            record=False,
            rules=True,
        )
        seconds = time.perf_counter() - since
        (groups,) = method.found
        anonymize(
            engine.con,
            engine.con.table(parts.test.title),
            quasi=quasi,
            target=rounds.columns.target,
            method=Grouped(k=cell.k, groups=groups, tiered=cell.method == "tiered"),
            out=paths["groups"],
            accept=list(method.requires_accept),
            seed=cell.seed,
            record=False,
        )
        applied = release.apply(engine.con.table(parts.test.title), out=paths["rules"])
        with opened(engine, paths["train"]) as train:
            model = fit(engine, train, rounds.columns, C45())
        n_rows, n_untouched = _count_right(rounds, model, parts.test)
        with opened(engine, paths["groups"]) as grouped:
            n_right = _count_right(rounds, model, grouped)[1]
        n_right_shown = 0
        if applied.rows_shown:
            with opened(engine, paths["rules"]) as shown:
                n_right_shown = _count_right(rounds, model, shown)[1]
        gcp = release.certificate["gcp"]
        return ErpResult(
            cell=cell,
            seconds=round(seconds, 3),
            gcp=gcp if isinstance(gcp, float) else None,
            n_rows=n_rows,
            n_shown=applied.rows_shown,
            n_right=n_right,
            n_right_shown=n_right_shown,
            n_right_untouched=n_untouched,
            size=model.size,
        )


def _count_right(rounds: Rounds, model: Model, test: Source) -> tuple[int, int]:
    """Return the number of rows, and of those classified correctly."""
    confusion = model.confusion(rounds.engine, test, rounds.columns.target)
    n_right = sum(n for (truth, predicted), n in confusion.items() if truth == predicted)
    return sum(confusion.values()), n_right
