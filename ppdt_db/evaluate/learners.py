"""The learners that can be evaluated, by name, and the forms of a release that each can read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ppdt_db.evaluate.perturb import Reading
from ppdt_db.learn.bayes import NaiveBayes
from ppdt_db.learn.knn import KNN
from ppdt_db.learn.logistic import Logistic
from ppdt_db.learn.model import Learner, Model
from ppdt_db.learn.part.part import Part
from ppdt_db.learn.trees.learners import C45, ID3, TreeLearner
from ppdt_db.learn.trees.set_id3 import SetID3

AnyLearner: TypeAlias = TreeLearner | Learner[Model]
SINGLE: tuple[Reading, ...] = ("centre",)
RELEASED: tuple[Reading, ...] = ("released", "centre", "sets")


@dataclass(frozen=True, kw_only=True)
class LearnerEntry:
    """A learner in the list: its constructor, its options, and the readings of a release.

    The first reading is its default.
    """

    make: Callable[..., AnyLearner]
    options: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = SINGLE

    def __call__(self, options: Mapping[str, object]) -> AnyLearner:
        """Return the learner; options that it does not have are for the other learners."""
        known = {name: options[name] for name in self.options if options.get(name) is not None}
        return self.make(**known)


LEARNERS: dict[str, LearnerEntry] = {
    "c45": LearnerEntry(make=C45, options=("min_rows", "unpruned", "binary"), readings=RELEASED),
    "id3": LearnerEntry(make=ID3, options=("min_rows", "ties"), readings=RELEASED),
    "sets": LearnerEntry(
        make=SetID3,
        options=("min_rows", "ties", "scoring", "conversion", "distribution", "seed"),
        readings=("sets", "centre"),
    ),
    "bayes": LearnerEntry(make=NaiveBayes, readings=RELEASED),
    "knn": LearnerEntry(make=KNN, readings=RELEASED),
    "part": LearnerEntry(make=Part, options=("min_rows",), readings=RELEASED),
    "logistic": LearnerEntry(make=Logistic, readings=RELEASED),
}


def readings(learner: AnyLearner) -> tuple[Reading, ...]:
    """Return the readings of a release that a learner supports."""
    listed = (entry.readings for entry in LEARNERS.values() if entry.make is type(learner))
    return next(listed, SINGLE)


def test_reading(learner: AnyLearner) -> Reading:
    """Return how released rows are shown when they are classified.

    They are single values, but for a tree whose branches are sets.
    """
    if not isinstance(learner, SetID3):
        return "centre"
    return "sets" if learner.keeps_sets else "modes"
