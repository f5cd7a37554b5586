"""Yang et al., A decision tree approach for assessing and mitigating disclosure risks: table 2.

The figures are in `erp.csv`, one line for each line of the paper, as printed.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ppdt_db.experiments.erp_groups import TracedErp, TracedMondrian
from ppdt_db.experiments.folds import DataSet

FIGURES = Path(__file__).with_name("erp.csv")
KS = (10, 20, 30)
ORIGINAL = "original"
N_FOLDS = 10


# The paper counts five categorical attributes of Contra, the class among them.
DATA = {
    "contra": DataSet(
        file="cmc.csv",
        target="contraceptive_method",
        words=("wife_religion", "wife_working", "husband_occupation", "media_exposure"),
    ),
    "adult": DataSet(file="adult_*.csv", target="income"),
}
# The methods measured, with their parameters, by their name in the table.
OURS: dict[str, tuple[type[TracedErp] | type[TracedMondrian], dict[str, object]]] = {
    "mondrian": (TracedMondrian, {"criterion": "infogain"}),
    "erp": (TracedErp, {}),
    "tiered": (TracedErp, {"tiered": True}),
}
ALL = (ORIGINAL, *OURS)
# How a tree is grown; the paper only says "unpruned C4.5".
GROWING = ("erp", "tiered")
TREES: dict[str, dict[str, object]] = {
    "many-way": {},
    "binary": {"binary": True},
    "narrow": {"binary": True, "narrow": True},
}


@dataclass(frozen=True, kw_only=True)
class ErpPublished:
    """A line of the table: seconds, GCP, and the error in percent."""

    data: str
    method: str
    k: int
    seconds: float | None
    gcp: float | None
    error: float


@cache
def printed() -> dict[tuple[str, str, int], ErpPublished]:
    """Return all lines of table 2; the original has k = 1."""
    with FIGURES.open(encoding="utf-8", newline="") as file:
        found = [
            ErpPublished(
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


def made(
    name: str, k: int, min_rows: int | None, tree: str | None = None
) -> TracedErp | TracedMondrian:
    """Return a method with its parameters; `tree` says how it grows one, if it does."""
    method, parameters = OURS[name]
    own = {} if tree is None else {**TREES[tree], "min_rows": min_rows}
    return method(k=k, **parameters, **own)  # type: ignore[arg-type]
