"""One fold of the experiment of Chettri and Ray: what is perturbed, learnt and tested."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.papers.mict_data import (
    DATA,
    N_FOLDS,
    ORIGINAL,
    PLAIN,
    Cell,
    Measured,
    made,
)
from ppdt_db.evaluate.perturb import Privacy, perturbed
from ppdt_db.evaluate.plan import Plan
from ppdt_db.evaluate.rounds import Rounds, Shown
from ppdt_db.learn.api import fit
from ppdt_db.learn.knn import KNN, KNNModel
from ppdt_db.learn.lesson import find_columns
from ppdt_db.names import ident
from ppdt_db.source import Source, opened


@dataclass(frozen=True, kw_only=True)
class Released:
    """A release, its certificate, and how long it took."""

    source: Source
    proof: Mapping[str, object]
    seconds: float


@contextmanager
def dealt(con: duckdb.DuckDBPyConnection, folder: Path, cell: Cell) -> Iterator[Rounds]:
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
        rounds = Rounds(engine, source, asked, [], cell.seed, has_number=True)
        rounds.deal(Plan(n_folds=N_FOLDS), stratified=False)
        yield rounds


@contextmanager
def whole(rounds: Rounds, cell: Cell) -> Iterator[Released | None]:
    """The release of the whole table, with the numbers of its rows, where a line asks for one."""
    if cell.way != "whole":
        yield None
        return
    names = {"columns": rounds.kept, "repeat": 0, "number": rounds.number}
    # No row is in this fold: all are learnt from.
    table = rounds.engine.make("evaluate/part", {"fold": -1, "is_test": False}, names)
    columns = {name: rounds.source.columns[name] for name in rounds.kept}
    part = Source(kind="table", title=table, relation=ident(table), columns=columns)
    with _released(rounds, part, cell) as found:
        yield found
    rounds.engine.drop(table)


@contextmanager
def _released(rounds: Rounds, part: Source, cell: Cell) -> Iterator[Released]:
    method = made(cell.method, cell.k)
    privacy = Privacy(
        method=method, quasi=rounds.columns.features, protocol="PP", accept=tuple(method.weaker)
    )
    since, target = time.perf_counter(), rounds.columns.target
    with perturbed(rounds.engine, part, privacy, "centre", target, cell.seed) as (source, proof):
        seconds = round(time.perf_counter() - since, 3)
        yield Released(source=source, proof=proof, seconds=seconds)


@contextmanager
def _both(
    rounds: Rounds, cell: Cell, parts: Shown, release: Released | None
) -> Iterator[tuple[Source, Source, Released]]:
    """What is shown of both parts of a fold, and the release that its loss is told of."""
    if release is None:
        with (
            _released(rounds, parts.train, cell) as train,
            _released(rounds, parts.test, cell) as test,
        ):
            yield train.source, test.source, train
        return
    names = {
        "source": release.source.relation,
        "columns": rounds.kept,
        "number": rounds.number,
        "repeat": 0,
    }
    found = []
    for table, is_test in (("ppdt_perturbed_train", False), ("ppdt_perturbed_test", True)):
        params = {"fold": cell.fold, "is_test": is_test}
        rounds.engine.make("evaluate/perturbed", params, names, to=table)
        columns = {name: release.source.columns[name] for name in rounds.kept}
        found.append(Source(kind="table", title=table, relation=ident(table), columns=columns))
    yield found[0], found[1], release
    rounds.engine.drop(*(source.title for source in found))


def taken(rounds: Rounds, cell: Cell, release: Released | None) -> Measured:
    """Learn from a fold and test on it; without a release of the whole table, perturb its parts."""
    rounds.part(0, cell.fold)
    with rounds.shown(KNN(), None) as parts:
        if cell.method == ORIGINAL:
            with _learnt(rounds, parts.train, cell) as right:
                return _measured(rounds, cell, parts, {PLAIN: right(parts.test)})
        with _both(rounds, cell, parts, release) as (train, test, lossy):
            with _learnt(rounds, train, cell) as right:
                found = {"PP": right(test), "PO": right(parts.test)}
            with _learnt(rounds, parts.train, cell) as right:
                found["OP"] = right(test)
            return _measured(rounds, cell, parts, found, lossy)


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
    release: Released | None = None,
) -> Measured:
    sizes = [
        rounds.engine.count("encode/size", names={"source": part.relation})
        for part in (parts.train, parts.test)
    ]
    told = release.proof if release else {}
    least = told.get("k_measured")
    return Measured(
        cell=cell, n_learnt=sizes[0], n_rows=sizes[1], n_right=n_right,
        seconds=release.seconds if release else None,
        sse=_number(told.get("sse")), il=_number(told.get("il")), gcp=_number(told.get("gcp")),
        least=least if isinstance(least, int) else None,
    )  # fmt: skip


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
