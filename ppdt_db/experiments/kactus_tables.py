"""Tables 2 to 5 of Kisilevich et al.: the paper's figures beside ours, with the tests."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ppdt_db.evaluate.statistics import (
    Verdict,
    binomial_half_width,
    bonferroni_dunn,
    iman_davenport,
    mean_ranks,
)
from ppdt_db.experiments.kactus import ORIGINAL, KactusCell, KactusRecord, KactusResult
from ppdt_db.experiments.kactus_data import BESIDE, KactusPublished, printed, printed_as, quasi_of
from ppdt_db.experiments.kactus_wins import Key, Wins, differs, stated, wins_of
from ppdt_db.experiments.verdict import Cell


@dataclass(frozen=True, kw_only=True)
class TableCell:
    """One figure: ours, the mean over the seeds, beside theirs, if they exist.

    Deviations are over the rounds. `half_width` is what chance makes of the rows of a repetition,
    at 95 %, by the normal approximation of the binomial distribution.

    The mark is `*` if a release differs from the original, `+` if the first method is better than
    this one and `-` if it is worse (combined 5x2cv F test, first seed).
    """

    data: str
    quasi: str
    learner: str
    method: str
    k: int
    ours: float | None
    our_sd: float | None
    half_width: float | None
    gcp: float | None
    mark: str
    theirs: float | None
    their_sd: float | None
    is_asked: bool
    """False for figures of the paper that stand there for comparison only."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The mean figures of a method and a learner, over cells with both figures and k > 1."""

    method: str
    learner: str
    n_figures: int
    ours: float
    theirs: float
    n_below_one_sd: int
    n_below_two_sd: int


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Friedman's test over cases of quasi-identifiers, learner and k, and Bonferroni-Dunn's."""

    whose: str
    n_cases: int
    friedman: Verdict
    critical_difference: float
    mean_ranks: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A table."""

    table: int
    entries: Sequence[TableCell]
    summaries: Sequence[Summary]
    wins: Sequence[Wins]
    rankings: Sequence[Ranking]


def compared(table: int, cells: Sequence[KactusCell], record: KactusRecord) -> Compared:
    """Return a table of the measurements; without cells it has the paper's figures only."""
    ours: dict[Key, list[KactusResult]] = {}
    for cell in cells:
        if cell in record.cells:
            key = (cell.data, cell.quasi, cell.learner, cell.method, cell.k)
            ours.setdefault(key, []).append(record.cells[cell])
    figures = [p for p in printed() if p.table == table]
    known = {(p.data, quasi_of(p), p.learner, p.method, p.k): p for p in figures}
    methods = list(dict.fromkeys(cell.method for cell in cells if cell.method != ORIGINAL))
    methods += [m for m in dict.fromkeys(p.method for p in figures) if m not in methods]
    asked = {(c.data, c.quasi, c.learner, c.method, c.k) for c in cells}
    is_wanted = {(cell.data, cell.learner) for cell in cells}
    entries = [
        _entry((data, quasi, learner, method, k), ours, known, methods[0], asked)
        for data, quasi, learner, k in dict.fromkeys(
            (p.data, quasi_of(p), p.learner, p.k)
            for p in figures
            if (p.data, p.learner) in is_wanted
        )
        for method in methods
    ]
    return Compared(
        table=table,
        entries=entries,
        summaries=_summaries(entries),
        wins=wins_of(table, ours),
        rankings=[r for whose in ("ours", "theirs") if (r := _ranking(entries, whose))],
    )


def verdicts(table: Compared) -> list[Cell]:
    """Return the paper's figures beside ours of the same method, for the count.

    What stands beside the paper's methods is not counted: it would count a figure twice.
    """
    figures = [
        Cell(
            where=f"table {table.table}, {e.data}, {e.quasi}, {e.learner}, {e.method}, k = {e.k}",
            paper=e.theirs,
            ours=e.ours,
            deviation=e.their_sd or 0.0,
        )
        for e in table.entries
        if e.theirs is not None and e.is_asked and e.method not in BESIDE
    ]
    return [*figures, *stated(table.table, table.wins)]


def _entry(
    key: Key,
    ours: Mapping[Key, Sequence[KactusResult]],
    known: Mapping[Key, KactusPublished],
    first: str,
    asked: Collection[Key],
) -> TableCell:
    data, quasi, learner, method, k = key
    measured = (data, quasi, learner, ORIGINAL if k == 1 else method, k)
    own = ours.get(measured, ())
    theirs = known.get((data, quasi, learner, printed_as(method), k))
    mark = ""
    if (data, quasi, learner, ORIGINAL, 1) in ours:
        mark = "*" if differs(own, ours[data, quasi, learner, ORIGINAL, 1]) else ""
    elif method != first:
        best = ours.get((data, quasi, learner, first, k), ())
        higher = own and best and best[0].accuracy > own[0].accuracy
        mark = ("+" if higher else "-") if differs(own, best) else ""
    return TableCell(
        data=data,
        quasi=quasi,
        learner=learner,
        method=method,
        k=k,
        ours=fmean(m.accuracy for m in own) if own else None,
        our_sd=fmean(m.sd for m in own) if own else None,
        half_width=_half_width(own),
        gcp=fmean(m.gcp for m in own if m.gcp is not None) if own and own[0].gcp else None,
        mark=mark,
        theirs=theirs.accuracy if theirs else None,
        their_sd=theirs.sd if theirs else None,
        is_asked=measured in asked,
    )


def _half_width(own: Sequence[KactusResult]) -> float | None:
    """Return the half-width of a figure's interval, in points; None if the rows are not known."""
    if not own or not own[0].n_rows:
        return None
    share = fmean(result.accuracy for result in own) / 100
    return 100 * binomial_half_width(share, own[0].n_rows)


def _summaries(entries: Sequence[TableCell]) -> list[Summary]:
    groups: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for e in entries:
        if e.k > 1 and e.ours is not None and e.theirs is not None and e.their_sd is not None:
            group = groups.setdefault((e.method, e.learner), [])
            group.append((e.ours, e.theirs, e.their_sd))
    return [
        Summary(
            method=method,
            learner=learner,
            n_figures=len(found),
            ours=fmean(ours for ours, _, _ in found),
            theirs=fmean(theirs for _, theirs, _ in found),
            n_below_one_sd=sum(ours < theirs - sd for ours, theirs, sd in found),
            n_below_two_sd=sum(ours < theirs - 2 * sd for ours, theirs, sd in found),
        )
        for (method, learner), found in groups.items()
    ]


def _ranking(entries: Sequence[TableCell], whose: str) -> Ranking | None:
    """Return the tests over all cases for which every method has a figure."""
    cases: dict[tuple[str, str, str, int], dict[str, float]] = {}
    for e in entries:
        score = e.ours if whose == "ours" else e.theirs
        is_own = whose == "ours" or e.method not in BESIDE
        if score is not None and e.k > 1 and is_own:
            cases.setdefault((e.data, e.quasi, e.learner, e.k), {})[e.method] = score
    methods = list(dict.fromkeys(method for case in cases.values() for method in case))
    if len(methods) < 2:
        return None
    # A method with few cases, such as one tied to a learner, would reduce the cases of all.
    most = max(sum(m in case for case in cases.values()) for m in methods)
    methods = [m for m in methods if sum(m in case for case in cases.values()) == most]
    scores = [[c[m] for m in methods] for c in cases.values() if all(m in c for m in methods)]
    if len(scores) < 2 or len(methods) < 2:
        return None
    return Ranking(
        whose=whose,
        n_cases=len(scores),
        friedman=iman_davenport(scores),
        critical_difference=bonferroni_dunn(len(methods), len(scores)),
        mean_ranks=dict(zip(methods, mean_ranks(scores), strict=True)),
    )
