"""Learn a model from any source with `learn`, and test it with `confusion_matrix`."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TextIO, overload

import duckdb

from ppdt_db.arguments import in_plain_numbers, list_faults, name_faults, type_faults
from ppdt_db.engine import DuckEngine, only_duckdb
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.model import Learner, Made, Model, TreeModel
from ppdt_db.learn.trees.learners import C45, ID3, TreeLearner, learn_tree
from ppdt_db.learn.trees.predict import Confusion
from ppdt_db.learn.trees.set_id3 import SetID3
from ppdt_db.learn.trees.training_set import Columns, find_columns
from ppdt_db.policy.roles import raise_all
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.backend import backend_of
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened, stage
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name, unknown_columns
from ppdt_db.tree.tree import Tree


@overload
def learn(
    con: object,
    source: SourceLike,
    *,
    target: str,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    learner: TreeLearner | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvOptions = None,
) -> Tree: ...


@overload
def learn(
    con: object,
    source: SourceLike,
    *,
    target: str,
    learner: Learner[Made],
    features: Sequence[str] | None = None,
    weight: str | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvOptions = None,
) -> Made: ...


def learn(
    con: object,
    source: SourceLike,
    *,
    target: str,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    learner: TreeLearner | Learner[Made] | None = None,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    engine: str | None = None,
    csv: CsvOptions = None,
) -> Tree | Made:
    """Learn from a table, a view, a file or a frame: a C4.5 tree, or what the learner makes.

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
    backend = backend_of(con, engine, sql_log)
    is_tree = isinstance(chosen, C45 | ID3)
    if backend.engine.dialect != "duckdb" and not is_tree:
        raise RequestError(
            f"{type(chosen).__name__} is not supported on Spark; use C45 or ID3, or DuckDB."
        )
    if backend.engine.dialect != "duckdb" and isinstance(chosen, C45) and chosen.binary:
        raise RequestError("--binary is not supported on Spark; remove it or use DuckDB.")
    with ExitStack() as stack:
        stack.enter_context(backend.entered())
        found = stack.enter_context(backend.opened(with_csv(source, csv)))
        stack.enter_context(backend.engine.unordered())
        progress("read", 0.0)
        read = backend.stage(found)
        columns = find_columns(read, target, features, weight)
        if isinstance(chosen, C45 | ID3 | SetID3):
            return learn_tree(backend.engine, read, columns, chosen, progress)
        model = chosen.fit(only_duckdb(backend.engine, type(chosen).__name__), read, columns)
        for table in getattr(model, "tables", ()):
            backend.engine.keep(table)
        return model


def as_learner(learner: TreeLearner | Learner[Made] | None) -> TreeLearner | Learner[Made]:
    """Return the learner, with plain Python numbers; raise if it is not a learner."""
    if learner is None:
        return C45()
    if isinstance(learner, type):
        raise RequestError(
            f"learner: {learner.__name__} is a class. Pass an instance: {learner.__name__}()."
        )
    if not hasattr(learner, "fit") and not isinstance(learner, C45 | ID3 | SetID3):
        raise RequestError(
            f"learner: a {type(learner).__name__} is not a learner. Pass an object of ppdt_db: "
            "C45(), ID3(), NaiveBayes(), KNN(), Part(), Logistic() or Kadet(k=10, "
            "public=[...])."
        )
    return in_plain_numbers(learner)


def learner_faults(chosen: object) -> Sequence[str]:
    """Return the faults of a learner's parameters."""
    found = type_faults(chosen)
    return found or list(getattr(chosen, "faults", ()))


def fit(
    engine: DuckEngine, source: Source, columns: Columns, learner: TreeLearner | Learner[Model]
) -> Model:
    """Learn from a relation whose columns were checked, inside a run's engine."""
    if not isinstance(learner, C45 | ID3 | SetID3):
        return learner.fit(engine, source, columns)
    return TreeModel(tree=learn_tree(engine, source, columns, learner, no_progress))


def confusion_matrix(
    con: duckdb.DuckDBPyConnection,
    model: Tree | Model,
    source: SourceLike,
    *,
    target: str,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> Confusion:
    """Return the number of rows for each pair of actual and predicted class."""
    known = TreeModel(tree=model) if isinstance(model, Tree) else model
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as found:
        read = stage(engine, found)
        raise_all(unknown_columns({"target": [target]}, read.columns))
        truth = by_normal_name(read.columns)[normalize_name(target)]
        return known.confusion(engine, read, truth, progress)
