"""C4.5 and ID3: their parameters, and how they and ID3 on sets learn from a source."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.decode import find_thresholds, finish
from ppdt_db.learn.trees.grow import Growth, GrowthOptions
from ppdt_db.learn.trees.prune import Pruning
from ppdt_db.learn.trees.set_id3 import SetGrowth, SetID3, SetTrainingSet, prepare_sets
from ppdt_db.learn.trees.subsets import drop_impossible
from ppdt_db.learn.trees.training_set import Columns, TrainingSet, growth_faults, prepare
from ppdt_db.progress import Progress
from ppdt_db.source.source import Source
from ppdt_db.tree.tree import Missing, Ties, Tree


@dataclass(frozen=True, kw_only=True)
class C45:
    """C4.5: gain ratio, binary cuts of numbers, pessimistic pruning, as in J48.

    >>> C45(min_rows=5).criterion
    'ratio'
    """

    min_rows: int = 2
    unpruned: bool = False
    raising: bool = True
    confidence: float = 0.25
    missing: Missing = "fractional"
    ties: Ties = "first"
    binary: bool = False
    """Divide the values of a category in two, instead of a branch for each."""
    narrow: bool = False
    """Of the splits that gain enough, take the one that narrows the labels of a release most."""

    criterion = "ratio"

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        found = growth_faults(self.min_rows, self.confidence)
        if self.narrow and not self.binary:
            found.append("--narrow compares splits in two: add --binary, or remove --narrow.")
        return found

    def growth(self, *, keep_places: bool) -> GrowthOptions:
        """Return the options of growing."""
        return GrowthOptions(
            criterion="ratio",
            min_rows=self.min_rows,
            missing=self.missing,
            keep_places=keep_places,
            binary=self.binary,
            narrow=self.narrow,
        )


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
        """The faults of the parameters."""
        return growth_faults(self.min_rows)


TreeLearner: TypeAlias = C45 | ID3 | SetID3


def learn_tree(
    engine: Engine, source: Source, columns: Columns, learner: TreeLearner, progress: Progress
) -> Tree:
    """Learn from a relation whose columns were checked, inside a run's engine."""
    with engine.transaction():
        lesson = make_training_set(engine, source, columns, learner)
    return grow_tree(engine, lesson, learner, progress)


def make_training_set(
    engine: Engine, source: Source, columns: Columns, learner: TreeLearner
) -> TrainingSet:
    """Encode a source as the learner needs it."""
    if not isinstance(learner, SetID3):
        return prepare(engine, source, columns)
    if columns.weight is not None:
        raise RequestError("ID3 on sets does not support weights. Remove --weight.")
    return prepare_sets(engine, source, columns, learner)


def rules_of(learner: TreeLearner, *, keep_places: bool = False) -> GrowthOptions:
    """Return how a learner's trees are grown."""
    if isinstance(learner, C45):
        return learner.growth(keep_places=keep_places)
    return GrowthOptions(
        criterion="gain",
        min_rows=learner.min_rows,
        missing=learner.missing,
        keep_places=keep_places,
    )


def grow_tree(
    engine: Engine, lesson: TrainingSet, learner: TreeLearner, progress: Progress
) -> Tree:
    """Grow a tree from a training set, and prune it if the learner does.

    If columns hold ranges or sets, no subtree is raised: units keep only the part of their values
    that the branches they took have left.
    """
    raising = learner.raising and not lesson.is_spread
    rules = rules_of(learner, keep_places=not learner.unpruned and raising)
    if rules.binary and lesson.is_spread:
        raise RequestError(
            "--binary divides single values in two, but a feature holds ranges or sets. Remove "
            "--binary, or release single values."
        )
    growth = Growth(engine, lesson, rules, progress)
    if isinstance(learner, SetID3) and isinstance(lesson, SetTrainingSet):
        growth = SetGrowth(engine, lesson, learner, rules, progress)
    root = growth.grow()
    find_thresholds(engine, lesson, root)
    if not learner.unpruned:
        progress("prune", 0.0)
        Pruning(growth, learner.confidence, raising=raising).prune(root)
    if rules.binary:
        drop_impossible(root, lesson.attributes)
    return replace(finish(engine, lesson, root, learner.missing), ties=learner.ties)
