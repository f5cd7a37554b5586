"""The figures that the text of Friedman et al. states, beside ours."""

from collections.abc import Sequence

from ppdt_db.experiments.kadet_data import Figure
from ppdt_db.experiments.kadet_figures import FigureData, KadetLine
from ppdt_db.experiments.verdict import Cell
from ppdt_db.learn.kadet.certainty import least_l

SECONDS = {4: 4.0, 5: 10.0}
POINTS = {4: 0.6, 5: 3.0}
ROOTS = {750: "relationship", 1000: "marital_status"}
NO_EXPOSED_FROM = 75
LIMIT = 85.0


def stated(one: FigureData) -> list[Cell]:
    """Return the cells of a figure: what the text says, and what was measured of it."""
    where = f"figure {one.figure.number}"
    return [
        *_against_tds(where, one),
        *(_roots(where, one.lines) if one.figure.number == 4 else ()),
        *(_exposed(where, one.lines) if one.figure.number == 6 else ()),
        *(_limits(where, one.figure, one.lines) if one.figure.axis == "limit" else ()),
    ]


def _against_tds(where: str, one: FigureData) -> list[Cell]:
    """Return how far kADET is below TDS, and how long its slowest tree took."""
    if one.figure.number not in POINTS:
        return []
    points = POINTS[one.figure.number]
    return [
        Cell(
            where=f"{where}, points of error below TDS, mean over k",
            paper=points,
            ours=one.below_tds_both,
            deviation=0.5 if points.is_integer() else 0.05,
        ),
        Cell(
            where=f"{where}, seconds of the slowest tree: less than",
            paper=SECONDS[one.figure.number],
            ours=max((line.seconds for line in one.lines), default=None),
            better="low",
        ),
    ]


def _roots(where: str, lines: Sequence[KadetLine]) -> list[Cell]:
    """Return the roots at the two k that the text names, and which of the two errs less."""
    at = {line.k: line for line in lines}
    found = [
        Cell(where=f"{where}, root at k = {k}", paper=root, ours=at[k].root or "none")
        for k, root in ROOTS.items()
        if k in at
    ]
    if len(found) == len(ROOTS):
        low, high = (at[k] for k in ROOTS)
        ours = "lower" if high.error < low.error else "not lower"
        text = f"{where}, error at k = {high.k} against k = {low.k}"
        found.append(Cell(where=text, paper="lower", ours=ours))
    return found


def _exposed(where: str, lines: Sequence[KadetLine]) -> list[Cell]:
    """Return the share of exposed rows in the C4.5 form, where the text has none."""
    return [
        Cell(
            where=f"{where}, C4.5 form, exposed rows in percent, k = {line.k}",
            paper=0.0,
            ours=line.exposed,
            deviation=0.5,
            better="low",
        )
        for line in lines
        if line.form == "c45" and line.k >= NO_EXPOSED_FROM
    ]


def _limits(where: str, figure: Figure, lines: Sequence[KadetLine]) -> list[Cell]:
    """Return the l of the limit that the text names, and up to where trees are of use."""
    worst = max((line.error for line in lines), default=0.0)
    useful = [line.place for line in lines if line.nodes > 1 and line.error < worst]
    at_limit = [line for line in lines if line.place == LIMIT]
    found = [
        Cell(
            where=f"{where}, l at {LIMIT:g} %",
            paper=1.526,
            ours=round(least_l(LIMIT), 3),
            deviation=0.0005,
            better=None,
        )
        for _ in at_limit
    ]
    if at_limit:
        has_tree = "use" if any(place <= LIMIT for place in useful) else "no use"
        wanted = "no use" if figure.forms == ("id3",) else "use"
        text = f"{where}, {figure.forms[0]} form, trees at {LIMIT:g} % and less are of"
        found.append(Cell(where=text, paper=wanted, ours=has_tree))
    return found
