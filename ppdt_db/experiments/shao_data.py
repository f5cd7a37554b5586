"""The experiment of Shao and Beckford: its rows and columns, and the printed figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppdt_db.learn.trees.learners import ID3, TreeLearner
from ppdt_db.learn.trees.set_id3 import Conversion, Scoring, SetID3
from ppdt_db.methods.algorithms.partition import Criterion
from ppdt_db.tree.tree import Ties

TARGET = "income"
FEATURES = (
    "workclass", "education", "marital_status", "occupation", "relationship", "race", "sex",
    "native_country",
)  # fmt: skip
NUMBERS = ("age", "hours_per_week", "capital_gain", "capital_loss")
QUASI = ("age", "education", "hours_per_week", "native_country", "capital_gain", "workclass")
ADDED = ("occupation", "marital_status", "relationship", "race", "sex", "capital_loss")
COLUMNS = tuple(dict.fromkeys([*FEATURES, *NUMBERS, TARGET]))
COUNTRY = "native_country"
# The column that tells rows apart while they are recoded.
NUMBER = "row_number"
PARTS = ("table3", "figure2", "figure3", "table4")
KS = (4, 8, 16, 32, 64)
N_QUASI = tuple(range(len(QUASI), len(QUASI) + len(ADDED) + 1))
K = 64
CRITERIA: tuple[Criterion, ...] = ("median", "median-left", "ncp")
TIES: tuple[Ties, ...] = ("first", "last")

# The printed figures. Figures 2 and 3 of the paper give no numbers beyond these.
PLAIN = 80.96
LOSSES = {4: 0.09, 64: 1.68}
MOST_LOST = 2.0
STEP_7_TO_8 = 0.14
SPREADS = {"figure 2": 0.56, "figure 3": 2.16}
ROOTS = {
    6: "relationship", 7: "relationship", 8: "relationship", 9: "sex", 10: "sex",
    11: "native_country", 12: "native_country",
}  # fmt: skip
# Table III: rows that count for a value, and the entropy of their classes.
ROWS = {"F": 5.5, "M": 2.5}
ENTROPIES: Mapping[tuple[Scoring, str], float] = {
    ("own_value", "F"): 0.811, ("own_value", "M"): 0.0, ("own_value", "M, F"): 0.918,
    ("fractional", "F"): 0.845, ("fractional", "M"): 0.971,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How ID3 takes sets, and whether native_country is generalized."""

    scoring: Scoring = "fractional"
    conversion: Conversion = "random"
    min_rows: int = 0
    ties: Ties = "first"
    has_country: bool = True
    is_random: bool = True
    tests_sets: bool = False
    """True if test rows show the release's sets where one covers them, instead of their values."""


PAPER = "as the paper"
OWN_VALUE = "a branch for every set"
OWN_VALUE_OF_TESTS = "a branch for every set, tests in sets"
ROOTS_OF_TABLE_4 = "each member 1, no country"
READINGS: Mapping[str, Reading] = {
    PAPER: Reading(),
    "whole rows": Reading(min_rows=1),
    "last class of equals": Reading(ties="last"),
    "most frequent": Reading(conversion="most_frequent", is_random=False),
    "original distribution": Reading(conversion="original_distribution"),
    "random first": Reading(scoring="random_first"),
    "scored as own value": Reading(scoring="own_value"),
    OWN_VALUE: Reading(scoring="own_value", conversion="own_value", is_random=False),
    OWN_VALUE_OF_TESTS: Reading(
        scoring="own_value", conversion="own_value", is_random=False, tests_sets=True
    ),
    "each member 1": Reading(scoring="each_member"),
    ROOTS_OF_TABLE_4: Reading(scoring="each_member", has_country=False),
}
ROOT_READINGS = (PAPER, "each member 1", ROOTS_OF_TABLE_4)
TRIED_AT = (4, 64)
TRIED = [name for name in READINGS if name not in ROOT_READINGS]


@dataclass(frozen=True, kw_only=True)
class ShaoCell:
    """One tree: of the release that `criterion` makes, or of the rows as they are."""

    reading: str
    criterion: Criterion | Literal["none"]
    k: int
    n_quasi: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class ShaoResult:
    """A result: the accuracy in percent, the root, the size; the release's loss."""

    cell: ShaoCell
    accuracy: float
    root: str | None
    size: int
    gcp: float | None = None
    seconds: float = field(default=0.0, compare=False)


def quasi_of(cell: ShaoCell) -> tuple[str, ...]:
    """Return the quasi-identifiers of a cell's release."""
    names = (*QUASI, *ADDED[: cell.n_quasi - len(QUASI)])
    return tuple(n for n in names if n != COUNTRY or READINGS[cell.reading].has_country)


def learner_of(cell: ShaoCell, distribution: Mapping[str, Mapping[str | None, int]]) -> TreeLearner:
    """Return the learner of a cell."""
    reading = READINGS[cell.reading]
    if cell.criterion == "none":
        return ID3(missing="branch", ties=reading.ties)
    return SetID3(
        scoring=reading.scoring,
        conversion=reading.conversion,
        seed=cell.seed,
        min_rows=reading.min_rows,
        ties=reading.ties,
        distribution=distribution if reading.conversion == "original_distribution" else {},
    )


def cells_of(
    parts: Sequence[str], criteria: Sequence[Criterion], ks: Sequence[int], n_seeds: int
) -> list[ShaoCell]:
    """Return the trees of the figures and of table IV, each once."""
    wanted: list[tuple[str, Criterion, int, int]] = []
    paper, least = CRITERIA[0], len(QUASI)
    if "figure2" in parts:
        wanted += [(PAPER, paper, k, least) for k in ks]
    if "figure3" in parts:
        wanted += [(r, paper, K, n) for r in (PAPER, ROOTS_OF_TABLE_4) for n in N_QUASI]
    if "figure2" in parts:
        wanted += [(r, paper, k, least) for k in ks if k in TRIED_AT for r in TRIED]
        wanted += [(PAPER, criterion, k, least) for criterion in criteria for k in ks]
    found = [
        ShaoCell(reading=reading, criterion=criterion, k=k, n_quasi=n_quasi, seed=seed)
        for reading, criterion, k, n_quasi in wanted
        for seed in range(1, 1 + (n_seeds if READINGS[reading].is_random else 1))
    ]
    if "table4" in parts:
        found += [
            ShaoCell(reading=reading, criterion=paper, k=K, n_quasi=n, seed=1)
            for reading in ROOT_READINGS
            for n in N_QUASI
        ]
    plain = [
        ShaoCell(reading=reading, criterion="none", k=1, n_quasi=0, seed=1)
        for reading in (PAPER, "last class of equals")
        if found
    ]
    return list(dict.fromkeys([*plain, *found]))
