"""Microaggregation, naively: one cluster after the other, distances from scratch."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Value = float | str | None


@dataclass(frozen=True)
class Space:
    """Rows in the order of their keys; a column is of numbers or of categories."""

    rows: Sequence[tuple[Value, ...]]
    is_number: Sequence[bool]
    gamma: float = 1.0

    def column(self, i: int) -> list[float]:
        return [row[i] for row in self.rows if row[i] is not None]  # type: ignore[misc]

    def deviation(self, i: int) -> float:
        values = self.column(i)
        mean = sum(values) / len(values) if values else 0.0
        return sqrt(sum((v - mean) ** 2 for v in values) / len(values)) if values else 0.0

    def parts(self, a: Sequence[Value], b: Sequence[Value]) -> tuple[float, int]:
        """Squares of standardized numbers, and categories that differ."""
        squares, n_other = 0.0, 0
        for i, is_number in enumerate(self.is_number):
            if not is_number:
                n_other += a[i] != b[i]
            elif (scale := self.deviation(i)) and a[i] != b[i]:
                missing = a[i] is None or b[i] is None
                reach = max(self.column(i)) - min(self.column(i)) if missing else a[i] - b[i]
                squares += (reach / scale) ** 2
        return squares, n_other

    def gap(self, a: Sequence[Value], b: Sequence[Value]) -> float:
        squares, n_other = self.parts(a, b)
        return round(sqrt(squares) + self.gamma * n_other, 7)

    def centre(self, ids: Sequence[int]) -> tuple[Value, ...]:
        found: list[Value] = []
        for i, is_number in enumerate(self.is_number):
            values = [self.rows[r][i] for r in ids if self.rows[r][i] is not None]
            if is_number:
                found.append(sum(values) / len(values) if values else None)  # type: ignore[arg-type]
            else:
                counts = Counter(values)
                found.append(min(counts, key=lambda v: (-counts[v], v)) if counts else None)
        return tuple(found)

    def order(self, ids: Sequence[int], to: Sequence[Value], first: int = -1) -> list[int]:
        """By distance, then by key; the seed itself comes first."""
        return sorted(ids, key=lambda r: (r != first, self.gap(self.rows[r], to), r))

    def loss(self, classes: Sequence[Sequence[int]]) -> float:
        total = 0.0
        for ids in classes:
            centre = self.centre(ids)
            for r in ids:
                squares, n_other = self.parts(self.rows[r], centre)
                total += squares + self.gamma * n_other
        return total


def mdav(space: Space, ids: list[int], k: int) -> list[list[int]]:
    found: list[list[int]] = []
    while len(ids) >= 2 * k:
        seeds = [space.order(ids, space.centre(ids))[-1]]
        if len(ids) >= 3 * k:
            seeds.append(space.order(ids, space.rows[seeds[0]], seeds[0])[-1])
        for seed in seeds:
            found.append(space.order(ids, space.rows[seed], seed)[:k])
            ids = [r for r in ids if r not in found[-1]]
    return [*found, ids] if ids else found
