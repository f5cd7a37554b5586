"""Chettri and Ray, On analysis of mixed data classification with privacy preservation: figure 2.

The paper draws its accuracies and prints none: it has no numbers to set beside ours.
"""

from dataclasses import dataclass

from ppdt_db.methods import METHODS, Method

KS = (2, 5, 10, 15, 20)
ORIGINAL = "original"
N_FOLDS = 10
# What is learnt from and what is tested on: Perturbed or Original.
MODELS = ("PP", "PO", "OP")
PLAIN = "OO"


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


def made(name: str, k: int) -> Method:
    """A method of ours with its parameters."""
    method, parameters = OURS[name]
    return METHODS[method](k=k, **parameters)  # type: ignore[arg-type]
