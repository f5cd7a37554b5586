"""Yang et al., A decision tree approach for assessing and mitigating disclosure risks: table 2.

The figures stand in `erp.csv`, one line for each line of the paper, as it prints them.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ppdt_db.methods import METHODS, Method

FIGURES = Path(__file__).with_name("erp.csv")
KS = (10, 20, 30)
ORIGINAL = "original"
N_FOLDS = 10


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set: its file, its class, and the columns whose numbers are names of categories."""

    file: str
    target: str
    words: tuple[str, ...] = ()


# The paper counts five categorical attributes of Contra, the class among them.
DATA = {
    "contra": Data(
        file="cmc.csv",
        target="contraceptive_method",
        words=("wife_religion", "wife_working", "husband_occupation", "media_exposure"),
    ),
    "adult": Data(file="adult_*.csv", target="income"),
}
# Method and parameters of what we measure, by the name that it has in the table.
OURS: dict[str, tuple[str, dict[str, object]]] = {
    "mondrian": ("mondrian", {"criterion": "infogain"}),
    "erp": ("erp", {}),
    "tiered": ("erp", {"tiered": True}),
}
ALL = (ORIGINAL, *OURS)
# What grows a tree, which the paper calls unpruned C4.5 and says no more of.
GROWING = ("erp", "tiered")


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A line of the table: seconds, GCP and the error in percent."""

    data: str
    method: str
    k: int
    seconds: float | None
    gcp: float | None
    error: float


@cache
def printed() -> dict[tuple[str, str, int], Printed]:
    """All lines of table 2; the original has k = 1."""
    with FIGURES.open(encoding="utf-8", newline="") as file:
        found = [
            Printed(
                data=line["data"],
                method=line["method"],
                k=int(line["k"]),
                seconds=float(line["seconds"]) if line["seconds"] else None,
                gcp=float(line["gcp"]) if line["gcp"] else None,
                error=float(line["error"]),
            )
            for line in csv.DictReader(file)
        ]
    return {(line.data, line.method, line.k): line for line in found}


def made(name: str, k: int, min_rows: int | None) -> Method:
    """A method of ours with its parameters."""
    method, parameters = OURS[name]
    own = {} if min_rows is None else {"min_rows": min_rows}
    return METHODS[method](k=k, **parameters, **own)  # type: ignore[arg-type]
