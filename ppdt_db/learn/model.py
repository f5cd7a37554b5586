"""What every learner and everything learnt can do, whatever its kind; `predict_into`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TextIO

import duckdb

from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Name
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.apply import Confusion, confusion, free_place, predict
from ppdt_db.learn.lesson import Columns
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold
from ppdt_db.source import Given, Source, opened, stage
from ppdt_db.tree import Tree


class Model(Protocol):
    """What was learnt from a relation, and can be asked of any other."""

    @property
    def target(self) -> str:
        """The column whose classes it tells."""
        ...

    @property
    def size(self) -> int:
        """How large it is: nodes of a tree, rules of a list, numbers that are kept."""
        ...

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """How often which class of column `truth` was taken for which."""
        ...

    def predict(
        self,
        engine: DuckEngine,
        source: Source,
        into: Name,
        column: str,
        progress: Progress = no_progress,
    ) -> None:
        """Make a table of the source with the prediction beside every row."""
        ...


class Learner(Protocol):
    """What learns a model from a relation whose columns were checked."""

    @property
    def faults(self) -> Sequence[str]:
        """What is wrong with the parameters."""
        ...

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> Model:
        """Learn, inside the engine's database."""
        ...


@dataclass(frozen=True, kw_only=True)
class TreeModel:
    """A decision tree as a model."""

    tree: Tree

    @property
    def target(self) -> str:
        """The column whose classes it tells."""
        return self.tree.target

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.tree.nodes)

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """How often which class was taken for which."""
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
        """Make a table of the source with the prediction beside every row."""
        progress("predict", 0.0)
        predict(engine, self.tree, source, into, column)


def predict_into(
    con: duckdb.DuckDBPyConnection,
    model: Tree | Model,
    source: Given,
    *,
    into: str,
    progress: Progress = no_progress,
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> None:
    """Write a table that shows every row of a source with a model's prediction beside it."""
    known = TreeModel(tree=model) if isinstance(model, Tree) else model
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as found:
        read = stage(engine, found)
        column = f"predicted_{known.target}"
        if fold(column) in {fold(name) for name in read.columns}:
            raise RequestError(f'the source has a column "{column}" already. Rename it.')
        known.predict(engine, read, free_place(engine, into), column, progress)
