"""Chettri and Ray, On analysis of mixed data classification with privacy preservation: figure 2.

The paper draws its accuracies and prints none: it has no numbers to set beside ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ppdt_db.methods import METHODS, Method

KS = (2, 5, 10, 15, 20)
ORIGINAL = "original"
N_FOLDS = 10
# What is learnt from and what is tested on: Perturbed or Original.
MODELS = ("PP", "PO", "OP")
PLAIN = "OO"
# What is perturbed: the whole table before it is dealt to folds, or both parts of every fold.
Way = Literal["whole", "parts"]
WAYS: tuple[Way, ...] = get_args(Way)


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set: its file and its class."""

    file: str
    target: str


DATA = {
    "german": Data(file="german_credit.csv", target="class"),
    "adult": Data(file="adult_train.csv", target="income"),
}
# Method and parameters of what we measure, by the name that it has in the table.
OURS: dict[str, tuple[str, dict[str, object]]] = {
    "mict": ("mict", {}),
    "mict-paper": ("mict", {"mode": "paper"}),
    "mdav2k": ("mdav2k", {}),
    "microaggregate": ("microaggregate", {}),
}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One fold of one line of the table; `rows` is how many are drawn, None for all.

    The original is perturbed in no way and has k = 1.
    """

    data: str
    rows: int | None
    method: str
    way: Way | None
    k: int
    neighbours: int
    seed: int
    fold: int


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a fold came to: right answers for each model, and the loss.

    The loss is that of the whole table, or of the part that is learnt from. `least` is the k that
    the audit measured over all quasi-identifiers.
    """

    cell: Cell
    n_learnt: int
    n_rows: int
    n_right: Mapping[str, int]
    seconds: float | None = None
    sse: float | None = None
    il: float | None = None
    gcp: float | None = None
    least: int | None = None


def made(name: str, k: int) -> Method:
    """A method of ours with its parameters."""
    method, parameters = OURS[name]
    return METHODS[method](k=k, **parameters)  # type: ignore[arg-type]
