"""Wins over rivals and mean differences, as the text of Kisilevich et al. counts them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ppdt_db.evaluate.statistics import combined_f
from ppdt_db.experiments.kactus import KactusResult
from ppdt_db.experiments.kactus_data import OF_KACTUS, printed, printed_as, quasi_of
from ppdt_db.experiments.verdict import Cell

# A figure of a table: data, quasi-identifiers, learner, method, k.
Key = tuple[str, str, str, str, int]
# Sections 5.5 to 5.7: of so many cases kACTUS is significantly better in some, and worse in some.
STATED_WINS: dict[tuple[int, str], tuple[int | None, int | None, int]] = {
    (3, "tds"): (51, 1, 72),
    (3, "tdr"): (52, 2, 72),
    (3, "kadet"): (13, 0, 18),
    (4, "tds"): (62, 0, 72),
    (4, "tdr"): (59, 1, 72),
    (4, "kadet"): (None, 0, 18),
    (5, "mondrian"): (58, 0, 72),
}
# "On average the accuracy of kACTUS is 7.84% higher": points, as the figures of table 5 show.
STATED_POINTS = {(5, "mondrian"): 7.84}


@dataclass(frozen=True, kw_only=True)
class Wins:
    """Over the cases measured of both: where a method beats a rival significantly, and by how much.

    The test is the combined 5x2cv F test of the first seed's rounds. Points are mean differences of
    accuracy; the paper's are those of its figures in the same cases.
    """

    method: str
    rival: str
    n_better: int
    n_worse: int
    n_cases: int
    points: float
    stated_better: int | None
    stated_worse: int | None
    stated_cases: int | None
    printed_points: float | None


def differs(one: Sequence[KactusResult], other: Sequence[KactusResult]) -> bool:
    """Return whether the first seed's rounds of two cells differ significantly."""
    if not one or not other or one[0].cell.cv != "5x2":
        return False
    pairs = zip(one[0].accuracies, other[0].accuracies, strict=True)
    differences = [a - b for a, b in pairs]
    return combined_f([differences[i : i + 2] for i in range(0, 10, 2)]).is_significant


def wins_of(table: int, ours: Mapping[Key, Sequence[KactusResult]]) -> list[Wins]:
    """Return the wins of every form of kACTUS over every rival of a table."""
    methods = list(dict.fromkeys(method for *_, method, k in ours if k > 1))
    return [
        found
        for method in methods
        if method in OF_KACTUS
        for rival in methods
        if rival not in OF_KACTUS and (found := _wins(table, ours, method, rival))
    ]


def _wins(
    table: int, ours: Mapping[Key, Sequence[KactusResult]], method: str, rival: str
) -> Wins | None:
    """Return the wins of a method over a rival; None if no case was measured of both."""
    pairs = {
        (data, quasi, learner, k): (ours[data, quasi, learner, method, k], found)
        for (data, quasi, learner, name, k), found in ours.items()
        if name == rival and k > 1 and (data, quasi, learner, method, k) in ours
    }
    if not pairs:
        return None
    gains = {case: _mean(own) - _mean(other) for case, (own, other) in pairs.items()}
    decided = [case for case, (own, other) in pairs.items() if differs(own, other)]
    better, worse, cases = (None, None, None)
    if method == OF_KACTUS[0]:
        better, worse, cases = STATED_WINS.get((table, rival), (None, None, None))
    theirs = {
        (p.data, quasi_of(p), p.learner, p.method, p.k): p.accuracy
        for p in printed()
        if p.table == table
    }
    differences = [
        theirs[data, quasi, learner, printed_as(method), k]
        - theirs[data, quasi, learner, printed_as(rival), k]
        for data, quasi, learner, k in pairs
        if (data, quasi, learner, printed_as(rival), k) in theirs
    ]
    return Wins(
        method=method,
        rival=rival,
        n_better=sum(gains[case] > 0 for case in decided),
        n_worse=sum(gains[case] < 0 for case in decided),
        n_cases=len(pairs),
        points=fmean(gains.values()),
        stated_better=better,
        stated_worse=worse,
        stated_cases=cases,
        printed_points=fmean(differences) if differences else None,
    )


def stated(table: int, wins: Sequence[Wins]) -> Iterator[Cell]:
    """Yield what the text states of a table, for the count; of whole columns only."""
    for one in wins:
        if one.n_cases != one.stated_cases:
            continue
        where = f"table {table}, text, {one.method} against {one.rival}, {one.n_cases} cases"
        if one.stated_better is not None:
            yield Cell(
                where=f"{where}: better in", paper=float(one.stated_better),
                ours=float(one.n_better),
            )  # fmt: skip
        if one.stated_worse is not None:
            yield Cell(
                where=f"{where}: worse in", paper=float(one.stated_worse),
                ours=float(one.n_worse), better="low",
            )  # fmt: skip
        points = STATED_POINTS.get((table, one.rival))
        if points is not None:
            yield Cell(
                where=f"{where}: points above", paper=points, ours=one.points, deviation=0.005
            )


def _mean(results: Sequence[KactusResult]) -> float:
    return fmean(result.accuracy for result in results)
