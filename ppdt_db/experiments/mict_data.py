"""Chettri and Ray, On analysis of mixed data classification with privacy preservation: figure 2.

The paper plots its accuracies and prints none; ours are compared with what its text says of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ppdt_db.experiments.folds import DataSet
from ppdt_db.methods import METHODS, Method

KS = (2, 5, 10, 15, 20)
ORIGINAL = "original"
# The method as the paper has it.
PAPER = "mict-paper"
N_FOLDS = 10
# The training and the test data: Perturbed or Original.
MODELS = ("PP", "PO", "OP")
PLAIN = "OO"
# What is perturbed: the whole table before it is dealt to folds; both parts of every fold; or the
# part to learn from, of which every test row shows the nearest class.
Way = Literal["whole", "parts", "nearest"]
WAYS: tuple[Way, ...] = get_args(Way)


DATA = {
    "german": DataSet(file="german_credit.csv", target="class"),
    "adult": DataSet(file="adult_train.csv", target="income"),
}
# The methods measured, with their parameters, by their name in the table.
OURS: dict[str, tuple[str, dict[str, object]]] = {
    "mict": ("mict", {}),
    "mict-paper": ("mict", {"mode": "paper"}),
    "mict-leaf": ("mict", {"mode": "leaf"}),
    "mdav2k": ("mdav2k", {}),
    "microaggregate": ("microaggregate", {}),
}
# 30,162 rows take long: of Adult, only the paper's own method, and others if they are named.
ASKED_FOR = {"adult": ("mict", "mict-leaf", "mdav2k", "microaggregate")}


@dataclass(frozen=True, kw_only=True)
class MictCell:
    """One fold of one line of the table; `rows` is the size of the sample, None for all rows.

    The original is not perturbed and has k = 1.
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
class MictResult:
    """The result of a fold: correct predictions of each model, and the loss.

    The loss is that of the whole table, or of the training part. `least` is the k that
    the audit measured over all quasi-identifiers, `path` that over the attributes of each path,
    where this is promised. Of the test rows, `linked` have their own class as the nearest one of
    the whole release; `found` are to be expected if one row of it is taken at random.
    """

    cell: MictCell
    n_learnt: int
    n_rows: int
    n_right: Mapping[str, int]
    seconds: float | None = None
    sse: float | None = None
    il: float | None = None
    gcp: float | None = None
    least: int | None = None
    path: int | None = None
    linked: int | None = None
    found: float | None = None


def made(name: str, k: int) -> Method:
    """Return a method with its parameters."""
    method, parameters = OURS[name]
    return METHODS[method](k=k, **parameters)  # type: ignore[arg-type]
