"""C4.5 and ID3: their parameters, and how they and ID3 on sets learn a tree from a source."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.finish import find_thresholds, finish
from ppdt_db.learn.grow import Growth, Rules
from ppdt_db.learn.lesson import Columns, Lesson, prepare
from ppdt_db.learn.prune import Pruning
from ppdt_db.learn.sets import SetGrowth, SetID3, SetLesson, prepare_sets
from ppdt_db.methods.contract import Progress
from ppdt_db.source import Source
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


def learn_tree(
    engine: Engine, source: Source, columns: Columns, learner: TreeLearner, progress: Progress
) -> Tree:
    """Learn from a relation of a run that has its engine and has checked its columns."""
    with engine.transaction():
        lesson = make_lesson(engine, source, columns, learner)
    return grow_tree(engine, lesson, learner, progress)


def make_lesson(engine: Engine, source: Source, columns: Columns, learner: TreeLearner) -> Lesson:
    """Code a source as the learner wants it."""
    if not isinstance(learner, SetID3):
        return prepare(engine, source, columns)
    if columns.weight is not None:
        raise RequestError("ID3 on sets takes no weights. Leave out --weight.")
    return prepare_sets(engine, source, columns, learner)


def grow_tree(engine: Engine, lesson: Lesson, learner: TreeLearner, progress: Progress) -> Tree:
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
