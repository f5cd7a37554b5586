"""The tables of Kisilevich et al. on a page: figures, means, wins, intervals, ranks."""

from collections.abc import Sequence

from ppdt_db.cli.bench.page import Page
from ppdt_db.experiments.kactus_data import BESIDE, KS
from ppdt_db.experiments.kactus_tables import Compared, Ranking, TableCell, verdicts
from ppdt_db.experiments.kactus_wins import Wins

NOTE = """\
ours / theirs, in percent, with the deviation over the rounds; - if there is no figure. {marks}
(combined 5x2cv F test of the first seed's rounds, 95 %). Intervals are the normal approximation
of the binomial distribution over the rows of a repetition, at 95 %."""
STARS = "`*` differs significantly from the original"
PLUSES = "`+` {first} is significantly better than this, `-` it is significantly worse"
SUMMARY = ("learner", "method", "figures", "ours", "theirs", "below by 1 sd", "by 2 sd")
WINS = (
    "method", "rival", "cases", "better in", "the text", "worse in", "the text", "points above",
    "the paper's figures",
)  # fmt: skip


def add_table(page: Page, one: Compared) -> None:
    """Add a table: one line per data set, learner and method, one column per k."""
    ks = sorted({e.k for e in one.entries if e.ours is not None} or KS[one.table])
    rows: dict[tuple[str, ...], dict[int, TableCell]] = {}
    for e in one.entries:
        rows.setdefault((e.data, e.quasi, e.learner, e.method), {})[e.k] = e
    cells = [
        (*name, *(_figure(found.get(k)) for k in ks))
        for name, found in rows.items()
        if name[-1] not in BESIDE or any(e.ours is not None for e in found.values() if e.k > 1)
    ]
    heads = ("data", "QI", "learner", "method", *(f"k = {k}" for k in ks))
    page.table(f"Table {one.table}", heads, cells)
    first = one.entries[0].method if one.entries else "the first method"
    page.note(NOTE.format(marks=STARS if one.table == 2 else PLUSES.format(first=first)))
    means = [
        (s.learner, s.method, str(s.n_figures), f"{s.ours:.2f}", f"{s.theirs:.2f}",
         str(s.n_below_one_sd), str(s.n_below_two_sd))
        for s in one.summaries
    ]  # fmt: skip
    page.table(f"Table {one.table}: means over what both have, k > 1", SUMMARY, means)
    _add_intervals(page, one)
    if one.table > 2:
        _add_wins(page, one.table, one.wins)
        for ranking in one.rankings:
            _add_ranking(page, one.table, ranking)
    page.cells += verdicts(one)


def _figure(entry: TableCell | None) -> str:
    """Return our figure and theirs, with deviations; a dash for one that is missing."""
    if entry is None:
        return "-"
    ours = _with_deviation(entry.ours, entry.our_sd)
    return f"{ours}{entry.mark} / {_with_deviation(entry.theirs, entry.their_sd)}"


def _with_deviation(accuracy: float | None, sd: float | None) -> str:
    if accuracy is None:
        return "-"
    return f"{accuracy:.2f}" if sd is None else f"{accuracy:.2f} ± {sd:.2f}"


def _add_intervals(page: Page, one: Compared) -> None:
    """Add how far the figures of each data set may be off by chance."""
    widths: dict[str, list[float]] = {}
    for e in one.entries:
        if e.half_width is not None:
            widths.setdefault(e.data, []).append(e.half_width)
    if widths:
        rows = [(d, f"{min(found):.2f}", f"{max(found):.2f}") for d, found in widths.items()]
        title = f"Table {one.table}: intervals of our accuracies, points either side"
        page.table(title, ("data", "narrowest", "widest"), rows)


def _add_wins(page: Page, number: int, wins: Sequence[Wins]) -> None:
    """Add how often kACTUS and its forms are significantly better than each rival, and worse."""
    rows = [
        (w.method, w.rival, str(w.n_cases), str(w.n_better), _stated(w.stated_better, w),
         str(w.n_worse), _stated(w.stated_worse, w), f"{w.points:+.2f}",
         "-" if w.printed_points is None else f"{w.printed_points:+.2f}")
        for w in wins
    ]  # fmt: skip
    if rows:
        page.table(f"Table {number}: significant differences, and their mean", WINS, rows)


def _stated(count: int | None, one: Wins) -> str:
    return "-" if count is None else f"{count} of {one.stated_cases}"


def _add_ranking(page: Page, number: int, ranking: Ranking) -> None:
    friedman = ranking.friedman
    rows = [
        ("Friedman", f"F = {friedman.statistic:.3g}, p = {friedman.p_value:.3g}"),
        ("Bonferroni-Dunn", f"critical difference {ranking.critical_difference:.2f}"),
        *((name, f"mean rank {rank:.2f}") for name, rank in ranking.mean_ranks.items()),
    ]
    title = f"Table {number}: ranks over {ranking.n_cases} cases, {ranking.whose}"
    page.table(title, ("test", "result"), rows)
