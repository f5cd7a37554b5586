"""The learners that can be evaluated, by their names, and what each can read of a release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ppdt_db.evaluate.perturb import Reading
from ppdt_db.learn.bayes import NaiveBayes
from ppdt_db.learn.knn import KNN
from ppdt_db.learn.logistic import Logistic
from ppdt_db.learn.model import Learner
from ppdt_db.learn.part import Part
from ppdt_db.learn.sets import SetID3
from ppdt_db.learn.trees import C45, ID3, TreeLearner

Any: TypeAlias = TreeLearner | Learner
SINGLE: tuple[Reading, ...] = ("centre",)
RELEASED: tuple[Reading, ...] = ("released", "centre", "sets")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A learner on the list: how it is made, the wishes that it knows, what it reads of a release.

    The first reading is its default.
    """

    make: Callable[..., Any]
    wishes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = SINGLE

    def __call__(self, wishes: Mapping[str, object]) -> Any:
        """The learner; wishes that it does not know are for the learners beside it."""
        known = {name: wishes[name] for name in self.wishes if wishes.get(name) is not None}
        return self.make(**known)


LEARNERS: dict[str, Entry] = {
    "c45": Entry(make=C45, wishes=("min_rows", "unpruned"), readings=RELEASED),
    "id3": Entry(make=ID3, wishes=("min_rows", "ties"), readings=RELEASED),
    "sets": Entry(
        make=SetID3,
        wishes=("min_rows", "ties", "scoring", "conversion", "seed"),
        readings=("sets", "centre"),
    ),
    "bayes": Entry(make=NaiveBayes, readings=RELEASED),
    "knn": Entry(make=KNN, readings=RELEASED),
    "part": Entry(make=Part, wishes=("min_rows",), readings=RELEASED),
    "logistic": Entry(make=Logistic, readings=RELEASED),
}


def readings(learner: Any) -> tuple[Reading, ...]:
    """The ways in which a learner can be shown a release to learn from."""
    listed = (entry.readings for entry in LEARNERS.values() if entry.make is type(learner))
    return next(listed, SINGLE)


def test_reading(learner: Any) -> Reading:
    """How a released row is shown when it is to be classified: by single values."""
    return "modes" if isinstance(learner, SetID3) else "centre"
