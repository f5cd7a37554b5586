"""One fold of the experiment of Chettri and Ray: perturb, learn and test."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.evaluate.perturb import Privacy, perturbed
from ppdt_db.evaluate.plan import EvaluationPlan
from ppdt_db.evaluate.rounds import RoundData, Rounds
from ppdt_db.experiments.mict_data import DATA, N_FOLDS, ORIGINAL, PLAIN, MictCell, MictResult, made
from ppdt_db.experiments.nearest_class import Linkage, link, shown_as_nearest
from ppdt_db.learn.api import fit
from ppdt_db.learn.knn import KNN, KNNModel
from ppdt_db.learn.trees.training_set import find_columns
from ppdt_db.source.source import Source, opened
from ppdt_db.sqltext.quoting import ident


@dataclass(frozen=True, kw_only=True)
class FoldRelease:
    """A release, its certificate, and the time it took."""

    source: Source
    proof: Mapping[str, object]
    seconds: float


@contextmanager
def deal_folds(con: duckdb.DuckDBPyConnection, folder: Path, cell: MictCell) -> Iterator[Rounds]:
    """Return the complete rows of a data set, or a sample of them, dealt to folds."""
    data = DATA[cell.data]
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, folder / data.file) as read:
        columns = list(read.columns)
        names: dict[str, object] = {"source": read.relation, "columns": columns}
        table = engine.make("tools/bench/complete", names=names)
        if cell.rows is not None:
            key = hashlib.sha256(f"ppdt sample {cell.seed}".encode()).hexdigest()
            names["source"] = ident(table)
            params = {"run_key": key, "n_rows": cell.rows}
            table = engine.make("tools/bench/sampled", params, names)
        source = Source(kind="table", title=table, relation=ident(table), columns=read.columns)
        needed = find_columns(source, data.target, None, None)
        rounds = Rounds(engine, source, needed, [], cell.seed, has_number=True)
        rounds.deal(EvaluationPlan(n_folds=N_FOLDS), stratified=False)
        yield rounds


@contextmanager
def release_whole(rounds: Rounds, cell: MictCell) -> Iterator[FoldRelease | None]:
    """Yield the release of the whole table, with its row numbers, if a line needs one."""
    if cell.way != "whole":
        yield None
        return
    names = {"columns": rounds.kept, "repeat": 0, "number": rounds.number}
    # No row is in this fold: all are training rows.
    table = rounds.engine.make("tools/evaluate/part", {"fold": -1, "is_test": False}, names)
    columns = {name: rounds.source.columns[name] for name in rounds.kept}
    part = Source(kind="table", title=table, relation=ident(table), columns=columns)
    with _released(rounds, part, cell) as found:
        yield found
    rounds.engine.drop(table)


@contextmanager
def _released(rounds: Rounds, part: Source, cell: MictCell) -> Iterator[FoldRelease]:
    method = made(cell.method, cell.k)
    privacy = Privacy(
        method=method,
        quasi=rounds.columns.features,
        protocol="PP",
        accept=tuple(method.requires_accept),
    )
    since, target = time.perf_counter(), rounds.columns.target
    with perturbed(rounds.engine, part, privacy, "centre", target, cell.seed) as (source, proof):
        seconds = round(time.perf_counter() - since, 3)
        yield FoldRelease(source=source, proof=proof, seconds=seconds)


@contextmanager
def _perturbed_parts(
    rounds: Rounds, cell: MictCell, parts: RoundData, release: FoldRelease | None
) -> Iterator[tuple[Source, Source, FoldRelease]]:
    """Yield both parts of a fold as shown, and the release whose loss is reported."""
    if cell.way == "nearest":
        with (
            _released(rounds, parts.train, cell) as train,
            shown_as_nearest(rounds, cell.fold, train.source) as test_source,
        ):
            yield train.source, test_source, train
        return
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
        rounds.engine.make("tools/evaluate/perturbed", params, names, to=table)
        columns = {name: release.source.columns[name] for name in rounds.kept}
        found.append(Source(kind="table", title=table, relation=ident(table), columns=columns))
    yield found[0], found[1], release
    rounds.engine.drop(*(source.title for source in found))


def run_fold(rounds: Rounds, cell: MictCell, release: FoldRelease | None) -> MictResult:
    """Learn and test in one fold; perturb its parts unless the whole table was released."""
    rounds.part(0, cell.fold)
    with rounds.shown(KNN(), None) as parts:
        if cell.method == ORIGINAL:
            with _neighbours(rounds, parts.train, cell) as right:
                return _result(rounds, cell, parts, {PLAIN: right(parts.test)})
        with _perturbed_parts(rounds, cell, parts, release) as (train, test, lossy):
            with _neighbours(rounds, train, cell) as right:
                found = {"PP": right(test), "PO": right(parts.test)}
            with _neighbours(rounds, parts.train, cell) as right:
                found["OP"] = right(test)
            linkage = link(rounds, cell.fold, release.source) if release else None
            return _result(rounds, cell, parts, found, lossy, linkage)


@contextmanager
def _neighbours(rounds: Rounds, train: Source, cell: MictCell) -> Iterator[Callable[[Source], int]]:
    """Return the number of rows classified correctly by their neighbours in another part."""
    engine, target = rounds.engine, rounds.columns.target
    model = fit(engine, train, rounds.columns, KNN(k=cell.neighbours))
    assert isinstance(model, KNNModel)

    def right(test: Source) -> int:
        confusion = model.confusion(engine, test, target)
        return sum(n for (truth, predicted), n in confusion.items() if truth == predicted)

    yield right
    engine.drop(*model.tables)


def _result(
    rounds: Rounds,
    cell: MictCell,
    parts: RoundData,
    n_right: Mapping[str, int],
    release: FoldRelease | None = None,
    linkage: Linkage | None = None,
) -> MictResult:
    sizes = [
        rounds.engine.count("encode/size", names={"source": part.relation})
        for part in (parts.train, parts.test)
    ]
    figures = release.proof if release else {}
    least, measures = figures.get("k_measured"), figures.get("measures")
    path = measures.get("path") if isinstance(measures, dict) else None
    return MictResult(
        cell=cell, n_learnt=sizes[0], n_rows=sizes[1], n_right=n_right,
        seconds=release.seconds if release else None,
        sse=_number(figures.get("sse")),
        il=_number(figures.get("il")), gcp=_number(figures.get("gcp")),
        least=least if isinstance(least, int) else None,
        path=path if isinstance(path, int) else None,
        linked=linkage.n_linked if linkage else None, found=linkage.n_found if linkage else None,
    )  # fmt: skip


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
