"""Shao and Beckford, Learning decision trees from anonymized data: one tree at a time."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from math import log2
from pathlib import Path

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.experiments.adult import complete
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.experiments.shao_data import (
    COLUMNS,
    ENTROPIES,
    FEATURES,
    READINGS,
    TARGET,
    ShaoCell,
    ShaoResult,
    learner_of,
    quasi_of,
)
from ppdt_db.experiments.shao_rows import ShaoRows, rows_of
from ppdt_db.learn.api import fit
from ppdt_db.learn.distribution import Distribution, count_values
from ppdt_db.learn.model import TreeModel
from ppdt_db.learn.trees.learners import make_training_set, rules_of
from ppdt_db.learn.trees.set_id3 import Scoring, SetGrowth, SetID3, SetTrainingSet
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident


@dataclass(frozen=True, kw_only=True)
class Entropy:
    """The classes of the rows that count for one value of table III."""

    scoring: Scoring
    value: str
    n_rows: float
    entropy: float


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[ShaoCell],
    record: ResultsFile[ShaoResult],
    progress: Progress = no_progress,
) -> None:
    """Learn the trees missing from the record; those of one release come one after the other."""
    missing = [cell for cell in cells if cell not in record.cells]
    missing.sort(key=lambda cell: (cell.criterion, cell.k, cell.n_quasi, quasi_of(cell)))
    if not missing:
        return
    engine = DuckEngine(con)
    n_done = 0
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        train, test = (complete(engine, folder, part, COLUMNS) for part in ("train", "test"))
        for _, group in groupby(missing, lambda c: (c.criterion, c.k, quasi_of(c))):
            together = list(group)
            told: Distribution = {}
            if together[0].k > 1:
                told = count_values(engine, train, FEATURES, together[0].k)
            tests_sets = any(READINGS[cell.reading].tests_sets for cell in together)
            with rows_of(engine, train, test, together[0], tests_sets=tests_sets) as rows:
                for cell in together:
                    progress("evaluate", n_done / len(missing))
                    record.add(_learn(engine, cell, rows, told))
                    n_done += 1


def _learn(engine: DuckEngine, cell: ShaoCell, rows: ShaoRows, told: Distribution) -> ShaoResult:
    """Learn a tree, and test it on the test rows that its reading asks for."""
    began = time.monotonic()
    columns = Columns(target=TARGET, features=FEATURES)
    model = fit(engine, rows.train, columns, learner_of(cell, told))
    assert isinstance(model, TreeModel)
    test = rows.test_in_sets if READINGS[cell.reading].tests_sets else rows.test
    assert test is not None
    taken = model.confusion(engine, test, TARGET)
    n_right = sum(n for (truth, predicted), n in taken.items() if truth == predicted)
    return ShaoResult(
        cell=cell,
        accuracy=100 * n_right / sum(taken.values()),
        root=model.tree.nodes[0].attribute,
        size=len(model.tree.nodes),
        gcp=rows.gcp,
        seconds=time.monotonic() - began,
    )


def table_3(con: duckdb.DuckDBPyConnection) -> list[Entropy]:
    """Return what the values of table III count, by the scorings that the paper works out."""
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared():
        engine.make("tools/bench/sexes", to="ppdt_sexes")
        return [
            line
            for scoring in dict.fromkeys(scoring for scoring, _ in ENTROPIES)
            for line in _entropies(engine, scoring)
        ]


def _entropies(engine: DuckEngine, scoring: Scoring) -> Iterator[Entropy]:
    types = {"sex": "VARCHAR[]", "salary": "VARCHAR"}
    source = Source(kind="table", title="sexes", relation=ident("ppdt_sexes"), columns=types)
    learner = SetID3(scoring=scoring, min_rows=0)
    columns = Columns(target="salary", features=["sex"])
    lesson = make_training_set(engine, source, columns, learner)
    assert isinstance(lesson, SetTrainingSet)
    histogram = SetGrowth(engine, lesson, learner, rules_of(learner), no_progress).root_histogram()
    # The sets in the order of their members: {F}, {F, M}, {M}.
    values = ("F", "M, F", "M") if scoring == "own_value" else ("F", "M")
    for value, (_, counts) in zip(values, sorted(histogram.items()), strict=True):
        n_rows = sum(counts.values())
        entropy = -sum(n / n_rows * log2(n / n_rows) for n in counts.values() if n)
        yield Entropy(scoring=scoring, value=value, n_rows=n_rows / 1_000_000, entropy=abs(entropy))
