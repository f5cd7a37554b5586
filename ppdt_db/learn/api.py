"""`learn` and `judge`: a model from any source, and how often it is right about another."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Protocol, TextIO, TypeVar, overload

import duckdb

from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import DuckEngine, only_duckdb
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.given import in_plain_numbers, list_faults, name_faults, type_faults
from ppdt_db.ground import ground_of
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.lesson import Columns, find_columns
from ppdt_db.learn.model import Learner, Model, TreeModel
from ppdt_db.learn.sets import SetID3
from ppdt_db.learn.trees import C45, ID3, TreeLearner, learn_tree
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold, nearest
from ppdt_db.policy import raise_all
from ppdt_db.source import Given, Source, opened, stage
from ppdt_db.tree import Tree

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


@overload
def learn(
    con: object,
    source: Given,
    *,
    target: str,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    learner: TreeLearner | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvWish = None,
) -> Tree: ...


@overload
def learn(
    con: object,
    source: Given,
    *,
    target: str,
    learner: Learns[Made],
    features: Sequence[str] | None = None,
    weight: str | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvWish = None,
) -> Made: ...


def learn(
    con: object,
    source: Given,
    *,
    target: str,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    learner: TreeLearner | Learns[Made] | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvWish = None,
) -> Tree | Made:
    """Learn from a table, a view, a file or a frame: a tree by C4.5, or what the learner makes.

    >>> from ppdt_db import NaiveBayes
    >>> con = duckdb.connect()
    >>> days = con.sql("SELECT i % 2 AS rain, i % 2 = 1 AS umbrella FROM range(20) r(i)")
    >>> learn(con, days, target="umbrella").classes
    ('false', 'true')
    >>> learn(con, days, target="umbrella", learner=NaiveBayes()).size
    6
    """
    chosen = as_learner(learner)
    raise_all(
        [
            *(list_faults(features=features) if features is not None else []),
            *name_faults(target=target, weight=weight),
            *learner_faults(chosen),
        ]
    )
    ground = ground_of(con, engine, sql_log)
    is_tree = isinstance(chosen, C45 | ID3)
    if ground.engine.dialect != "duckdb" and not is_tree:
        raise RequestError(f"{type(chosen).__name__} does not run on Spark; C4.5 and ID3 do.")
    with ExitStack() as stack:
        stack.enter_context(ground.entered())
        found = stack.enter_context(ground.opened(with_csv(source, csv)))
        stack.enter_context(ground.engine.unordered())
        progress("read", 0.0)
        read = ground.stage(found)
        columns = find_columns(read, target, features, weight)
        if isinstance(chosen, C45 | ID3 | SetID3):
            return learn_tree(ground.engine, read, columns, chosen, progress)
        model = chosen.fit(only_duckdb(ground.engine, type(chosen).__name__), read, columns)
        for table in getattr(model, "tables", ()):
            ground.engine.keep(table)
        return model


def as_learner(given: TreeLearner | Learns[Made] | None) -> TreeLearner | Learns[Made]:
    """Return the learner that is meant, with numbers of Python's own; refuse what is none."""
    if given is None:
        return C45()
    if isinstance(given, type):
        raise RequestError(f"learner: {given.__name__} is a class. Pass {given.__name__}().")
    if not hasattr(given, "fit") and not isinstance(given, C45 | ID3 | SetID3):
        raise RequestError(
            f"learner: a {type(given).__name__} is none. Pass an object of ppdt_db: C45(), ID3(), "
            "NaiveBayes(), KNN(), Part(), Logistic() or Kadet(k=10, public=[...])."
        )
    return in_plain_numbers(given)


def learner_faults(chosen: object) -> Sequence[str]:
    """Return what is wrong with the parameters of a learner."""
    found = type_faults(chosen)
    return found or list(getattr(chosen, "faults", ()))


def fit(
    engine: DuckEngine, source: Source, columns: Columns, learner: TreeLearner | Learner
) -> Model:
    """Learn from a relation of a run that has its engine and has checked its columns."""
    if not isinstance(learner, C45 | ID3 | SetID3):
        return learner.fit(engine, source, columns)
    return TreeModel(tree=learn_tree(engine, source, columns, learner, no_progress))


def judge(
    con: duckdb.DuckDBPyConnection,
    model: Tree | Model,
    source: Given,
    *,
    target: str,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> Confusion:
    """How often a model takes which class of a source for which."""
    known = TreeModel(tree=model) if isinstance(model, Tree) else model
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as found:
        read = stage(engine, found)
        by_fold = {fold(name): name for name in read.columns}
        if fold(target) not in by_fold:
            near = nearest(target, read.columns)
            raise RequestError(f'target "{target}": the source has no such column.{near}')
        return known.confusion(engine, read, by_fold[fold(target)], progress)
