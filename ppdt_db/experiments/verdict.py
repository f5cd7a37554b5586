"""Cells of a paper's tables: the published figure beside ours, and which of the two is better."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["better", "equal", "worse", "not measured"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A published figure and ours.

    `deviation` is how far apart two equal figures may be: what the paper states, or half a unit of
    the last digit that it prints. `better` is None where only the same answer is right.

    >>> Cell(where="table 2, k = 5", paper=85.88, ours=85.96, deviation=0.3).verdict
    'equal'
    >>> Cell(where="table 2, GCP", paper=0.425, ours=0.321, better="low").verdict
    'better'
    """

    where: str
    paper: float | str
    ours: float | str | None
    deviation: float = 0.0
    better: Literal["high", "low"] | None = "high"

    @property
    def verdict(self) -> Verdict:
        """Return which figure is better."""
        if self.ours is None:
            return "not measured"
        if isinstance(self.paper, str) or isinstance(self.ours, str):
            return "equal" if self.paper == self.ours else "worse"
        gain = self.ours - self.paper
        if abs(gain) <= self.deviation + 1e-9:
            return "equal"
        if self.better is None:
            return "worse"
        return "better" if (gain > 0) == (self.better == "high") else "worse"


def counted(cells: Iterable[Cell]) -> str:
    """Return the line that counts the verdicts.

    >>> counted([Cell(where="root", paper="sex", ours="race")])
    '1 cell: 0 better than the paper, 0 equal within its deviation, 1 worse.'
    """
    found = Counter(cell.verdict for cell in cells)
    n_cells = found.total()
    text = (
        f"{n_cells} cell{'' if n_cells == 1 else 's'}: {found['better']} better than the paper, "
        f"{found['equal']} equal within its deviation, {found['worse']} worse"
    )
    missing = found["not measured"]
    return f"{text}, {missing} not measured." if missing else f"{text}."


def worse_cells(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in which the paper is better, in their order."""
    return [cell for cell in cells if cell.verdict == "worse"]
