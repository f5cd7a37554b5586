"""The interface of learners and models of every kind, and `predict_into`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TextIO, TypeVar

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Name
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.predict import Confusion, confusion, free_place, predict
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened, stage
from ppdt_db.sqltext.quoting import normalize_name
from ppdt_db.tree.tree import Tree


class Model(Protocol):
    """A model learnt from one relation, which can predict on any other."""

    @property
    def target(self) -> str:
        """The column whose classes it predicts."""
        ...

    @property
    def size(self) -> int:
        """Its size: nodes of a tree, rules of a list, or numbers stored."""
        ...

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """Return the number of rows for each pair of actual class (`truth`) and predicted one."""
        ...

    def predict(
        self,
        engine: DuckEngine,
        source: Source,
        into: Name,
        column: str,
        progress: Progress = no_progress,
    ) -> None:
        """Create a table of the source with the prediction beside every row."""
        ...


Made = TypeVar("Made", covariant=True)


class Learner(Protocol[Made]):
    """A learner of one type of model from a relation whose columns were checked."""

    @property
    def faults(self) -> Sequence[str]:
        """The faults of the parameters."""
        ...

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> Made:
        """Learn inside the engine's database."""
        ...


@dataclass(frozen=True, kw_only=True)
class TreeModel:
    """A decision tree as a model."""

    tree: Tree

    @property
    def target(self) -> str:
        """The column whose classes it predicts."""
        return self.tree.target

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.tree.nodes)

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """Return the number of rows for each pair of actual and predicted class."""
        progress("predict", 0.0)
        return confusion(engine, self.tree, source, truth)

    def predict(
        self,
        engine: DuckEngine,
        source: Source,
        into: Name,
        column: str,
        progress: Progress = no_progress,
    ) -> None:
        """Create a table of the source with the prediction beside every row."""
        progress("predict", 0.0)
        predict(engine, self.tree, source, into, column)


def predict_into(
    con: duckdb.DuckDBPyConnection,
    model: Tree | Model,
    source: SourceLike,
    *,
    into: str,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> None:
    """Write every row of a source, with a model's prediction beside it, to a table."""
    known = TreeModel(tree=model) if isinstance(model, Tree) else model
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as found:
        read = stage(engine, found)
        column = f"predicted_{known.target}"
        if normalize_name(column) in {normalize_name(name) for name in read.columns}:
            raise RequestError(f'the source already has a column "{column}". Rename it in a view.')
        known.predict(engine, read, free_place(engine, into), column, progress)
