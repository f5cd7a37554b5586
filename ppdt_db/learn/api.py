"""`learn`: a decision tree from any source, C4.5 or ID3."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Protocol, TextIO, TypeAlias, TypeVar

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.finish import find_thresholds, finish
from ppdt_db.learn.grow import Growth, Rules
from ppdt_db.learn.lesson import Columns, Lesson, find_columns, prepare
from ppdt_db.learn.model import Learner, Model, TreeModel
from ppdt_db.learn.prune import Pruning
from ppdt_db.learn.sets import SetGrowth, SetID3, SetLesson, prepare_sets
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold, nearest
from ppdt_db.source import Given, Source, opened, stage
from ppdt_db.tree import Missing, Ties, Tree


@dataclass(frozen=True, kw_only=True)
class C45:
    """C4.5: gain ratio, binary cuts of numbers, pessimistic pruning, as J48 does it.

    >>> C45(min_rows=5).criterion
    'ratio'
    """

    min_rows: int = 2
    unpruned: bool = False
    raising: bool = True
    confidence: float = 0.25
    missing: Missing = "fractional"
    ties: Ties = "first"

    criterion = "ratio"

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        found = [] if self.min_rows >= 1 else [f"min_rows={self.min_rows}: take at least 1."]
        if not 0 < self.confidence <= 0.5:
            found.append(f"confidence={self.confidence}: it must be above 0, and at most 0.5.")
        return found


@dataclass(frozen=True, kw_only=True)
class ID3:
    """ID3: information gain, no pruning; numbers are cut in two as well.

    >>> ID3().criterion
    'gain'
    """

    min_rows: int = 1
    missing: Missing = "fractional"
    ties: Ties = "first"

    criterion = "gain"
    unpruned = True
    raising = False
    confidence = 0.25

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        return [] if self.min_rows >= 1 else [f"min_rows={self.min_rows}: take at least 1."]


TreeLearner: TypeAlias = C45 | ID3 | SetID3


def learn(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    target: str,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    learner: TreeLearner | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
) -> Tree:
    """Learn a decision tree from a table, a view, a file or a frame.

    >>> con = duckdb.connect()
    >>> days = con.sql("SELECT i % 2 AS rain, i % 2 = 1 AS umbrella FROM range(20) r(i)")
    >>> learn(con, days, target="umbrella").classes
    ('false', 'true')
    """
    chosen = learner or C45()
    if chosen.faults:
        raise RequestError(*chosen.faults)
    engine = DuckEngine(con, sql_log)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        found = stack.enter_context(opened(engine, source))
        stack.enter_context(engine.unordered())
        with engine.transaction():
            progress("read", 0.0)
            read = stage(engine, found)
            columns = find_columns(read, target, features, weight)
            lesson = make_lesson(engine, read, columns, chosen)
        return grow_tree(engine, lesson, chosen, progress)


Made = TypeVar("Made", covariant=True)


class Learns(Protocol[Made]):
    """A learner that says of what kind its models are."""

    @property
    def faults(self) -> Sequence[str]:
        """What is wrong with the parameters."""
        ...

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> Made:
        """Learn, inside the engine's database."""
        ...


def learn_model(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    target: str,
    learner: Learns[Made],
    features: Sequence[str] | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
) -> Made:
    """Learn anything but a tree from a table, a view, a file or a frame.

    >>> from ppdt_db.learn.bayes import NaiveBayes
    >>> con = duckdb.connect()
    >>> days = con.sql("SELECT i % 2 AS rain, i % 2 = 1 AS umbrella FROM range(20) r(i)")
    >>> learn_model(con, days, target="umbrella", learner=NaiveBayes()).size
    6
    """
    if learner.faults:
        raise RequestError(*learner.faults)
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, source) as found:
        progress("read", 0.0)
        read = stage(engine, found)
        columns = find_columns(read, target, features, None)
        model = learner.fit(engine, read, columns)
        for table in getattr(model, "tables", ()):
            engine.keep(table)
        return model


def fit(
    engine: DuckEngine, source: Source, columns: Columns, learner: TreeLearner | Learner
) -> Model:
    """Learn from a relation of a run that has its engine and has checked its columns."""
    if not isinstance(learner, C45 | ID3 | SetID3):
        return learner.fit(engine, source, columns)
    with engine.transaction():
        lesson = make_lesson(engine, source, columns, learner)
    return TreeModel(tree=grow_tree(engine, lesson, learner, no_progress))


def make_lesson(
    engine: DuckEngine, source: Source, columns: Columns, learner: TreeLearner
) -> Lesson:
    """Code a source as the learner wants it."""
    if not isinstance(learner, SetID3):
        return prepare(engine, source, columns)
    if columns.weight is not None:
        raise RequestError("ID3 on sets takes no weights. Leave out --weight.")
    return prepare_sets(engine, source, columns, learner)


def grow_tree(engine: DuckEngine, lesson: Lesson, learner: TreeLearner, progress: Progress) -> Tree:
    """Grow a tree from a lesson, and prune it where the learner does.

    Where columns hold ranges or sets no subtree is raised: a unit has left what it might have been
    elsewhere with the branches that it took.
    """
    raising = learner.raising and not lesson.is_spread
    rules = Rules(
        criterion="ratio" if isinstance(learner, C45) else "gain",
        min_rows=learner.min_rows,
        missing=learner.missing,
        keep_places=not learner.unpruned and raising,
    )
    growth = Growth(engine, lesson, rules, progress)
    if isinstance(learner, SetID3) and isinstance(lesson, SetLesson):
        growth = SetGrowth(engine, lesson, learner, rules, progress)
    root = growth.grow()
    find_thresholds(engine, lesson, root)
    if not learner.unpruned:
        progress("prune", 0.0)
        Pruning(growth, learner.confidence, raising=raising).prune(root)
    return replace(finish(engine, lesson, root, learner.missing), ties=learner.ties)


def judge(
    con: duckdb.DuckDBPyConnection,
    model: Model,
    source: Given,
    *,
    target: str,
    sql_log: TextIO | None = None,
) -> Confusion:
    """How often a model takes which class of a source for which."""
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, source) as found:
        read = stage(engine, found)
        by_fold = {fold(name): name for name in read.columns}
        if fold(target) not in by_fold:
            near = nearest(target, read.columns)
            raise RequestError(f'target "{target}": the source has no such column.{near}')
        return model.confusion(engine, read, by_fold[fold(target)])
