"""Tables 2 to 6 of Kisilevich et al., Efficient multi-dimensional suppression for k-anonymity.

The figures are in `kactus.csv`, one line for each line of the paper, as printed.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ppdt_db.evaluate.learners import LEARNERS as LEARNER_ENTRIES
from ppdt_db.evaluate.learners import AnyLearner
from ppdt_db.learn.kadet.kadet import Kadet
from ppdt_db.learn.logistic import Logistic
from ppdt_db.methods import METHODS, Method
from ppdt_db.policy.roles import Attribute, raise_all
from ppdt_db.sqltext.column_types import ORDERED, family_of

FIGURES = Path(__file__).with_name("kactus.csv")
TABLES = (2, 3, 4, 5, 6)
LEARNERS = ("c45", "part", "bayes", "logistic")
# Weka's ridge for logistic regression: so small that a regression without enough rows collapses.
RIDGE = 1e-8
# k = 1 is the original.
KS = {2: (1, 5, 10, 15, 20, 30), **dict.fromkeys((3, 4, 5), (5, 20, 50, 100, 500, 1000))}
# The file and the target of every data set.
DATA = {
    "japanese": ("japanese_credit.csv", "class"),
    "pima": ("pima_diabetes.csv", "class"),
    "glass": ("glass.csv", "type"),
    "ionosphere": ("ionosphere.csv", "class"),
    "nursery": ("nursery.csv", "class"),
    "tic-tac-toe": ("tic_tac_toe.csv", "class"),
    "vehicle": ("vehicle.csv", "class"),
    "waveform": ("waveform.csv", "class"),
    "german": ("german_credit.csv", "class"),
    "adult": ("adult_*.csv", "income"),
}
_EIGHT = (
    "age", "workclass", "fnlwgt", "occupation", "sex", "capital_gain", "hours_per_week",
    "native_country",
)  # fmt: skip
# The quasi-identifiers; None is all attributes.
QUASI: dict[str, tuple[str, ...] | None] = {
    "8/14": _EIGHT,
    "11/14": (*_EIGHT, "education", "education_num", "marital_status"),
    "14/14": None,
}
# The methods measured, with their parameters, by their name in the tables.
OURS: dict[str, tuple[str, dict[str, object]]] = {
    "kactus": ("kactus", {}),
    "kactus-min-k": ("kactus", {}),
    "refine": ("kactus", {"refine": True}),
    "refine-plain": ("kactus", {"refine": True, "plain": True}),
    "mondrian": ("mondrian", {}),
    "mondrian-ncp": ("mondrian", {"criterion": "ncp"}),
    "mondrian-infogain": ("mondrian", {"criterion": "infogain"}),
    "tds": ("tds", {}),
    "tdr": ("tdr", {}),
    "kadet": ("kadet", {}),
}
# These use the hierarchies of the folder for categorical columns, except in table 4. Numbers are
# cut by information gain, as the authors of TDS do it.
OF_HIERARCHIES = ("tds", "tdr", "kadet")
WITHOUT_HIERARCHIES = 4
# It makes no release: its tree is the classifier, and stands in for C4.5 only.
KADET = "kadet"
OF_KACTUS = ("kactus", "kactus-min-k", "refine", "refine-plain")
# Two branches of every split of its tree hold k rows, as the paper advises ("MinObj"); else two.
MIN_K = "kactus-min-k"
# Methods beside those of the paper, and whose printed figures they stand beside. Table 5 cites
# "Workload-Aware Anonymization" for Mondrian: its cuts by information gain know the class.
BESIDE = {**dict.fromkeys(OF_KACTUS[1:], "kactus"), "mondrian-infogain": "mondrian"}
# What is measured beside them unless methods are named.
ALSO = {2: (MIN_K,), 5: ("refine", "mondrian-infogain")}
# Table 6: sigma, seconds for the tree, seconds for the anonymization, rows.
SCALING = (
    (5, 6.88, 44.32, 226_110),
    (10, 15.57, 99.16, 452_220),
    (15, 28.48, 192.82, 678_330),
    (20, 41.23, 247.94, 904_440),
    (25, 62.47, 409.32, 1_130_550),
    (30, 69.43, 483.01, 1_356_660),
)
SCALED_K = 150


@dataclass(frozen=True, kw_only=True)
class KactusPublished:
    """A figure of the paper: accuracy and standard deviation in percent."""

    table: int
    data: str
    quasi: str
    learner: str
    method: str
    k: int
    accuracy: float
    sd: float


@cache
def printed() -> tuple[KactusPublished, ...]:
    """Return all figures of tables 2 to 5."""
    with FIGURES.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    found = []
    for line in lines:
        table = int(line["table"])
        for place, k in enumerate(KS[table], start=1):
            accuracy, _, sd = line[f"figure_{place}"].partition("±")
            found.append(
                KactusPublished(
                    table=table,
                    data=line["data"],
                    quasi=line["quasi"],
                    learner=line["learner"],
                    method=line["method"],
                    k=k,
                    accuracy=float(accuracy),
                    sd=float(sd),
                )
            )
    return tuple(found)


def quasi_of(figure: KactusPublished) -> str:
    """Return the quasi-identifiers of a figure; in table 2, all attributes of a data set."""
    return "14/14" if figure.quasi == "all" else figure.quasi


def measured_for(table: int) -> tuple[str, ...]:
    """Return the methods measured for a table: the paper's, and some beside them."""
    theirs = [p.method for p in printed() if p.table == table]
    return tuple(dict.fromkeys([OF_KACTUS[0], *theirs, *ALSO.get(table, ())]))


def printed_as(method: str) -> str:
    """Return the method of the paper whose figures a method stands beside."""
    return BESIDE.get(method, method)


def takes_hierarchies(table: int, name: str) -> bool:
    """Return whether a method uses hierarchies in a table."""
    return name in OF_HIERARCHIES and table != WITHOUT_HIERARCHIES


def attributes(
    folder: Path, data: str, quasi: Sequence[str], columns: Mapping[str, str]
) -> list[Attribute]:
    """Return the quasi-identifiers of a data set, categorical ones with their hierarchies.

    `columns` are those of its file: numbers have no hierarchy, also where they were discretized.
    """
    found = []
    faults = []
    for name in quasi:
        if family_of(columns[name]) in ORDERED:
            found.append(Attribute(name))
            continue
        path = Path("hierarchies", data, f"{name}.csv")
        found.append(Attribute(name, hierarchy=folder / path))
        if not (folder / path).is_file():
            faults.append(f"--data: the folder has no file {path}. Add it.")
    raise_all(faults)
    return found


def kadet(k: int, quasi: Sequence[str | Attribute], features: Sequence[str]) -> Kadet:
    """Return kADET's C4.5 form; attributes that are not quasi-identifiers are private."""
    public = [one if isinstance(one, Attribute) else Attribute(one) for one in quasi]
    names = [one.name for one in public]
    return Kadet(
        k=k,
        public=names,
        private=[name for name in features if name not in names],
        hierarchies={one.name: one.hierarchy for one in public if one.hierarchy is not None},
    )


def made(name: str, k: int, **more: object) -> Method:
    """Return a method with its parameters and more; not kADET, which makes no release."""
    method, parameters = OURS[name]
    return METHODS[method](k=k, **parameters, **more)  # type: ignore[arg-type]


def learner_of(name: str, ridge: float | None) -> AnyLearner:
    """Return a learner as the paper's program has it by default."""
    if name != "logistic":
        return LEARNER_ENTRIES[name]({})
    # The penalty is halved in what is minimized; the ridge is not.
    return Logistic(penalty=2 * (RIDGE if ridge is None else ridge))
