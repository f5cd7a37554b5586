"""Risks of a tree's nodes, naively: sets of row numbers, and exact shares of domains."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import log2

from oracle.kactus_tree import ABOVE, MISSING, NOT_ABOVE, Node, Row


@dataclass
class RiskOracle:
    """A tree over rows; `steps` has the smallest step of each ordered column, None for others.

    A missing value, or an interval without extent, counts as the least distance of two values.
    """

    nodes: Sequence[Node]
    rows: Sequence[Row]
    classes: Sequence[Hashable]
    steps: Sequence[Fraction | None]
    parents: dict[int, tuple[int, set[Hashable]]] = field(default_factory=dict)
    here: list[set[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.here = [set() for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for test, child in node.children.items():
                self.parents.setdefault(child, (number, set()))[1].add(test)
        for row, keys in enumerate(self.rows):
            number = 0
            self.here[0].add(row)
            while self.nodes[number].children:
                number = self.nodes[number].children[self.nodes[number].branch(keys)]
                self.here[number].add(row)

    def way(self, number: int) -> list[int]:
        return [number, *self.way(self.parents[number][0])] if number in self.parents else [number]

    def share(self, number: int, attribute: int) -> Fraction:
        known = {row[attribute] for row in self.rows}
        step = self.steps[attribute]
        tests = [self.parents[n] for n in self.way(number) if n in self.parents]
        tests = [(p, test) for p, test in tests if self.nodes[p].attribute == attribute]
        if not tests:
            return Fraction(1)
        if step is None:
            left = [
                key for key in known if all((MISSING if key[0] < 4 else key) in t for _, t in tests)
            ]
            return Fraction(max(1, len(left)), len(known))
        finite = sorted(value for rank, value in known if rank == 4) or [Fraction(0)]
        lo, hi = finite[0], finite[-1]
        gap = min((max(step, b - a) for a, b in pairwise(finite)), default=step)
        whole = max(gap, hi - lo)
        if any(test == {MISSING} for _, test in tests):
            return gap / whole
        ends = [min(self.nodes[p].at[1], hi) for p, test in tests if NOT_ABOVE in test]
        starts = [max(self.nodes[p].at[1], lo) for p, test in tests if ABOVE in test]
        return min(Fraction(1), max(gap, min([hi, *ends]) - max([lo, *starts])) / whole)

    def big(self, number: int) -> int:
        shares = [self.share(number, attribute) for attribute in range(len(self.steps))]
        return sum(round(log2(1 / share) * 10**12) for share in shares)

    def risk(self, number: int) -> int | None:
        n_rows = len(self.here[number])
        return self.big(number) + round(log2(n_rows) * 10**12) if n_rows else None

    def wrong(self, number: int) -> int:
        counts = Counter(self.classes[row] for row in self.here[number])
        return counts.total() - max(counts.values(), default=0)
