"""What every learner and everything learnt can do, whatever its kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ppdt_db.engine import DuckEngine
from ppdt_db.learn.apply import Confusion, confusion
from ppdt_db.learn.lesson import Columns
from ppdt_db.source import Source
from ppdt_db.tree import Tree


class Model(Protocol):
    """What was learnt from a relation, and can be asked of any other."""

    @property
    def size(self) -> int:
        """How large it is: nodes of a tree, rules of a list, numbers that are kept."""
        ...

    def confusion(self, engine: DuckEngine, source: Source, truth: str) -> Confusion:
        """How often which class of column `truth` was taken for which."""
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
    def size(self) -> int:
        """The number of nodes."""
        return len(self.tree.nodes)

    def confusion(self, engine: DuckEngine, source: Source, truth: str) -> Confusion:
        """How often which class was taken for which."""
        return confusion(engine, self.tree, source, truth)
