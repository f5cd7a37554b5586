"""Figures 2 and 3, tables III and IV of Shao and Beckford: means over seeds, and the cells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.experiments.shao import Entropy
from ppdt_db.experiments.shao_data import (
    CRITERIA,
    ENTROPIES,
    LOSSES,
    PAPER,
    PLAIN,
    QUASI,
    READINGS,
    ROOTS,
    ROOTS_OF_TABLE_4,
    ROWS,
    SPREADS,
    STEP_7_TO_8,
    K,
    ShaoCell,
    ShaoResult,
)
from ppdt_db.experiments.verdict import Cell
from ppdt_db.tree.tree import Ties

# Reading, criterion, k, quasi-identifiers.
Key: TypeAlias = tuple[str, str, int, int]


@dataclass(frozen=True, kw_only=True)
class ShaoLine:
    """The trees of one release by one reading: means over the seeds.

    `spread` is how far the accuracies of the seeds lie apart, `loss` the points below the tree of
    the original rows.
    """

    reading: str
    criterion: str
    k: int
    n_quasi: int
    seeds: int
    gcp: float | None
    accuracy: float
    spread: float
    loss: float
    size: float
    root: str | None


def lines_of(cells: Sequence[ShaoCell], record: ResultsFile[ShaoResult]) -> dict[Key, ShaoLine]:
    """Return the lines in the order of the cells; the plain trees first."""
    groups: dict[Key, list[ShaoResult]] = {}
    for cell in cells:
        key = (cell.reading, cell.criterion, cell.k, cell.n_quasi)
        groups.setdefault(key, []).append(record.cells[cell])
    plain = {
        READINGS[key[0]].ties: found[0].accuracy
        for key, found in groups.items()
        if key[1] == "none"
    }
    return {key: _line(key, found, plain) for key, found in groups.items()}


def _line(key: Key, found: Sequence[ShaoResult], plain: Mapping[Ties, float]) -> ShaoLine:
    reading, criterion, k, n_quasi = key
    accuracies = [one.accuracy for one in found]
    return ShaoLine(
        reading=reading,
        criterion=criterion,
        k=k,
        n_quasi=n_quasi,
        seeds=len(found),
        gcp=found[0].gcp,
        accuracy=fmean(accuracies),
        spread=max(accuracies) - min(accuracies),
        loss=plain[READINGS[reading].ties] - fmean(accuracies),
        size=fmean(one.size for one in found),
        root=found[0].root,
    )


def cells_of_table_3(found: Iterable[Entropy]) -> list[Cell]:
    """Return the counts and entropies that the paper works out."""
    cells: list[Cell] = []
    for one in found:
        where = f"table III, {one.scoring}, {one.value}"
        if one.scoring == "fractional":
            rows = ROWS[one.value]
            cells.append(
                Cell(
                    where=f"{where}, rows", paper=rows, ours=one.n_rows, deviation=0.05, better=None
                )
            )
        entropy = ENTROPIES[one.scoring, one.value]
        cells.append(
            Cell(where=f"{where}, E", paper=entropy, ours=one.entropy, deviation=5e-4, better=None)
        )
    return cells


def cells_of_lines(lines: dict[Key, ShaoLine]) -> list[Cell]:
    """Return the cells of what was measured, by the paper's own criterion."""
    plain = lines.get((PAPER, "none", 1, 0))
    if plain is None:
        return []
    cells = [
        Cell(where="plain ID3, %", paper=PLAIN, ours=_rounded(plain.accuracy), deviation=0.005)
    ]
    by_k = _of(lines, PAPER, n_quasi=len(QUASI))
    for k, paper in LOSSES.items():
        if k in by_k:
            cells.append(
                _lost(f"figure 2, points lost at k = {k}", paper, by_k[k].loss, "figure 2")
            )
    by_n = {line.n_quasi: line for line in _of_k(lines, PAPER)}
    for title, found in (("figure 2", by_k.values()), ("figure 3", by_n.values())):
        if len(found) > 1:
            spread = max(line.spread for line in found)
            cells.append(
                Cell(
                    where=f"{title}, greatest difference between runs",
                    paper=SPREADS[title],
                    ours=_rounded(spread),
                    deviation=0.005,
                    better="low",
                )
            )
    if {7, 8} <= by_n.keys():
        step = by_n[8].loss - by_n[7].loss
        cells.append(_lost("figure 3, points lost from 7 to 8", STEP_7_TO_8, step, "figure 3"))
    for reading in (PAPER, ROOTS_OF_TABLE_4):
        cells += [
            Cell(where=f"table IV, {reading}, {line.n_quasi}", paper=ROOTS[line.n_quasi],
                 ours=line.root, better=None)
            for line in _of_k(lines, reading)
            if line.n_quasi in ROOTS and len(by_n) > 1
        ]  # fmt: skip
    return cells


def _of(lines: dict[Key, ShaoLine], reading: str, *, n_quasi: int) -> dict[int, ShaoLine]:
    """Return the lines of figure 2 by k."""
    return {
        line.k: line
        for line in lines.values()
        if (line.reading, line.criterion, line.n_quasi) == (reading, CRITERIA[0], n_quasi)
    }


def _of_k(lines: dict[Key, ShaoLine], reading: str) -> list[ShaoLine]:
    """Return the lines of figure 3 and table IV."""
    return [
        line
        for line in lines.values()
        if (line.reading, line.criterion, line.k) == (reading, CRITERIA[0], K)
    ]


def _lost(where: str, paper: float, ours: float, figure: str) -> Cell:
    """Return a cell of points lost; the paper says how far its runs lie apart."""
    return Cell(
        where=where, paper=paper, ours=_rounded(ours), deviation=SPREADS[figure], better="low"
    )


def _rounded(value: float) -> float:
    return round(value, 2)
