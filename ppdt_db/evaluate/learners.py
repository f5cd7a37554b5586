"""The learners that can be evaluated, by their names, and what each can read of a release."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ppdt_db.evaluate.perturb import Reading
from ppdt_db.learn.api import C45, ID3, TreeLearner
from ppdt_db.learn.model import Learner
from ppdt_db.learn.sets import SetID3

Any: TypeAlias = TreeLearner | Learner
Wishes: TypeAlias = Mapping[str, object]


def _c45(wishes: Wishes) -> Any:
    return C45(**_only(wishes, "min_rows", "unpruned"))  # type: ignore[arg-type]


def _id3(wishes: Wishes) -> Any:
    return ID3(**_only(wishes, "min_rows", "ties"))  # type: ignore[arg-type]


def _sets(wishes: Wishes) -> Any:
    return SetID3(**_only(wishes, "min_rows", "ties", "scoring", "conversion", "seed"))  # type: ignore[arg-type]


def _only(wishes: Wishes, *names: str) -> dict[str, object]:
    """The wishes that a learner knows; the others are for the learners beside it."""
    return {name: wishes[name] for name in names if wishes.get(name) is not None}


# Of each learner: how it is made, and what it reads of a release; the first is its default.
LEARNERS: dict[str, Callable[[Wishes], Any]] = {"c45": _c45, "id3": _id3, "sets": _sets}
READINGS: dict[type, tuple[Reading, ...]] = {SetID3: ("sets", "centre")}
DEFAULT_READINGS: tuple[Reading, ...] = ("centre",)


def readings(learner: Any) -> tuple[Reading, ...]:
    """The ways in which a learner can be shown a release to learn from."""
    return READINGS.get(type(learner), DEFAULT_READINGS)


def test_reading(learner: Any) -> Reading:
    """How a released row is shown when it is to be classified: by single values."""
    return "modes" if isinstance(learner, SetID3) else "centre"
