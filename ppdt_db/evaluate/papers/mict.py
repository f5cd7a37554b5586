"""The experiment of Chettri and Ray, one fold at a time, each kept as soon as it is known."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.papers.kept import check_files, keep_figure, read_figures
from ppdt_db.evaluate.papers.mict_data import DATA, MODELS, N_FOLDS, ORIGINAL, PLAIN, made
from ppdt_db.evaluate.perturb import Privacy, perturbed
from ppdt_db.evaluate.plan import Plan
from ppdt_db.evaluate.rounds import Rounds, Shown
from ppdt_db.learn.api import fit
from ppdt_db.learn.knn import KNN, KNNModel
from ppdt_db.learn.lesson import find_columns
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import ident
from ppdt_db.source import Source, opened


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One fold of one line of the table; `rows` is how many are drawn, None for all."""

    data: str
    rows: int | None
    method: str
    k: int
    neighbours: int
    seed: int
    fold: int


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a fold came to: right answers for each model, the loss of the part that is learnt from.

    `least` is the k that the audit measured over all quasi-identifiers.
    """

    cell: Cell
    n_learnt: int
    n_rows: int
    n_right: Mapping[str, int]
    seconds: float | None = None
    sse: float | None = None
    il: float | None = None
    gcp: float | None = None
    least: int | None = None


class Record:
    """The folds that are known; with a file, every new one is written to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        known = read_figures(path, _read) if path is not None else ()
        self.cells: dict[Cell, Measured] = {found.cell: found for found in known}

    def add(self, found: Measured) -> None:
        """Keep a fold."""
        self.cells[found.cell] = found
        if self.path is not None:
            figure = asdict(found)
            keep_figure(self.path, {**figure.pop("cell"), **figure})


def _read(line: str) -> Measured | None:
    """A fold as it was written, or None."""
    try:
        figure = json.loads(line)
        cell = Cell(**{name: figure.pop(name) for name in Cell.__dataclass_fields__})
        return Measured(cell=cell, **figure)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def cells_of(
    data: Iterable[str],
    methods: Sequence[str],
    ks: Sequence[int],
    *,
    n_folds: int,
    rows: int | None = None,
    neighbours: int = KNN.k,
    seed: int = 1,
) -> list[Cell]:
    """Every fold of every method at every k, and of the original, which has k = 1."""
    lines = [(ORIGINAL, 1), *((method, k) for method in methods for k in ks)]
    return [
        Cell(data=name, rows=rows, method=method, k=k, neighbours=neighbours, seed=seed, fold=fold)
        for name in data
        for fold in range(n_folds)
        for method, k in lines
    ]


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[Cell],
    record: Record,
    progress: Progress = no_progress,
) -> None:
    """Measure the folds that the record lacks; they stand together by data set, then by fold."""
    missing = [cell for cell in cells if cell not in record.cells]
    check_files(folder, [DATA[cell.data].file for cell in missing])
    n_done = 0
    for _, of_data in groupby(missing, lambda cell: (cell.data, cell.rows, cell.seed)):
        together = list(of_data)
        with _dealt(con, folder, together[0]) as rounds:
            for fold, of_fold in groupby(together, lambda cell: cell.fold):
                rounds.part(0, fold)
                for cell in of_fold:
                    progress("evaluate", n_done / len(missing))
                    record.add(_taken(rounds, cell))
                    n_done += 1


@contextmanager
def _dealt(con: duckdb.DuckDBPyConnection, folder: Path, cell: Cell) -> Iterator[Rounds]:
    """The complete rows of a data set, or those that are drawn of them, dealt to folds."""
    data = DATA[cell.data]
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, folder / data.file) as read:
        columns = list(read.columns)
        names: dict[str, object] = {"source": read.relation, "columns": columns}
        table = engine.make("bench/complete", names=names)
        if cell.rows is not None:
            key = hashlib.sha256(f"ppdt sample {cell.seed}".encode()).hexdigest()
            names["source"] = ident(table)
            params = {"run_key": key, "n_rows": cell.rows}
            table = engine.make("bench/sampled", params, names)
        source = Source(kind="table", title=table, relation=ident(table), columns=read.columns)
        asked = find_columns(source, data.target, None, None)
        rounds = Rounds(engine, source, asked, [], cell.seed)
        rounds.deal(Plan(n_folds=N_FOLDS), stratified=False)
        yield rounds


def _taken(rounds: Rounds, cell: Cell) -> Measured:
    """Learn and test in the fold at hand."""
    with rounds.shown(KNN(), None) as parts:
        if cell.method != ORIGINAL:
            return _of_releases(rounds, cell, parts)
        with _learnt(rounds, parts.train, cell) as right:
            return _measured(rounds, cell, parts, {PLAIN: right(parts.test)})


def _of_releases(rounds: Rounds, cell: Cell, parts: Shown) -> Measured:
    """Perturb both parts, each by a run of its own, learn from one and test on the other."""
    engine, target = rounds.engine, rounds.columns.target
    method = made(cell.method, cell.k)
    privacy = Privacy(
        method=method, quasi=rounds.columns.features, protocol="PP", accept=tuple(method.weaker)
    )
    since = time.perf_counter()
    with perturbed(engine, parts.train, privacy, "centre", target, cell.seed) as (train, proof):
        seconds = round(time.perf_counter() - since, 3)
        with perturbed(engine, parts.test, privacy, "centre", target, cell.seed) as (test, _):
            with _learnt(rounds, train, cell) as right:
                found = {"PP": right(test), "PO": right(parts.test)}
            with _learnt(rounds, parts.train, cell) as right:
                found["OP"] = right(test)
    n_right = {model: found[model] for model in MODELS}
    return _measured(rounds, cell, parts, n_right, proof, seconds)


@contextmanager
def _learnt(rounds: Rounds, train: Source, cell: Cell) -> Iterator[Callable[[Source], int]]:
    """Neighbours of a part: how many rows of another find their class by them."""
    engine, target = rounds.engine, rounds.columns.target
    model = fit(engine, train, rounds.columns, KNN(k=cell.neighbours))
    assert isinstance(model, KNNModel)

    def right(test: Source) -> int:
        taken = model.confusion(engine, test, target)
        return sum(n for (truth, predicted), n in taken.items() if truth == predicted)

    yield right
    engine.drop(*model.tables)


def _measured(
    rounds: Rounds,
    cell: Cell,
    parts: Shown,
    n_right: Mapping[str, int],
    proof: Mapping[str, object] | None = None,
    seconds: float | None = None,
) -> Measured:
    sizes = [
        rounds.engine.count("encode/size", names={"source": part.relation})
        for part in (parts.train, parts.test)
    ]
    told = proof or {}
    least = told.get("k_measured")
    return Measured(
        cell=cell, n_learnt=sizes[0], n_rows=sizes[1], n_right=n_right, seconds=seconds,
        sse=_number(told.get("sse")), il=_number(told.get("il")), gcp=_number(told.get("gcp")),
        least=least if isinstance(least, int) else None,
    )  # fmt: skip


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
