"""Strict Mondrian, naively: rows as tuples of codes, one partition at a time."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

Rows = list[int]


@dataclass(frozen=True)
class Axis:
    """One quasi-identifier: each row's code, and for ordered ones each finite code's place."""

    codes: Sequence[int]
    n_codes: int
    position: dict[int, float] | None

    @classmethod
    def of(cls, keys: Sequence[tuple], is_ordered: bool) -> "Axis":
        order = sorted(set(keys))
        finite = [key[1] for key in order if key[0] == 4]
        position = None
        if is_ordered:
            span = finite[-1] - finite[0] if finite else 0
            position = {
                code: float((key[1] - finite[0]) / span) if span else 0.0
                for code, key in enumerate(order)
                if key[0] == 4
            }
        return cls([order.index(key) for key in keys], len(order), position)

    def reach(self, rows: Rows) -> float:
        """Of the finite values, between 0 and 1."""
        assert self.position is not None
        places = [self.position[self.codes[r]] for r in rows if self.codes[r] in self.position]
        return round(max(places) - min(places), 12) if places else 0.0

    def width(self, rows: Rows) -> float:
        if self.position is not None:
            return self.reach(rows)
        return round((len({self.codes[r] for r in rows}) - 1) / max(1, self.n_codes - 1), 12)

    def penalty(self, rows: Rows) -> float:
        if self.position is not None:
            return self.reach(rows)
        n_values = len({self.codes[r] for r in rows})
        return 0.0 if n_values == 1 else n_values / self.n_codes


@dataclass(frozen=True)
class Cut:
    """Codes up to `at` go left."""

    axis: int
    at: int
    left: Rows
    right: Rows


Allows = Callable[[Rows], bool]
Choice = Callable[[Sequence[Axis], Rows, Allows], Cut | None]


def cuts(axes: Sequence[Axis], number: int, rows: Rows) -> list[Cut]:
    """Every cut of some rows by one attribute."""
    codes = axes[number].codes
    return [
        Cut(number, at, [r for r in rows if codes[r] <= at], [r for r in rows if codes[r] > at])
        for at in sorted({codes[r] for r in rows})[:-1]
    ]


def partition(axes: Sequence[Axis], rows: Rows, allows: Allows, choose: Choice) -> list[Rows]:
    cut = choose(axes, rows, allows)
    if cut is None:
        return [rows]
    sides = (partition(axes, side, allows, choose) for side in (cut.left, cut.right))
    return [final for side in sides for final in side]


def _allowed(axes: Sequence[Axis], number: int, rows: Rows, allows: Allows) -> list[Cut]:
    return [cut for cut in cuts(axes, number, rows) if allows(cut.left) and allows(cut.right)]


def _uneven(cut: Cut) -> tuple[int, int]:
    return abs(len(cut.left) - len(cut.right)), cut.at


def _widest_first(axes: Sequence[Axis], rows: Rows) -> list[int]:
    return sorted(range(len(axes)), key=lambda number: (-axes[number].width(rows), number))


def balanced(axes: Sequence[Axis], rows: Rows, allows: Allows) -> Cut | None:
    for number in _widest_first(axes, rows):
        if found := _allowed(axes, number, rows, allows):
            return min(found, key=_uneven)
    return None


def at_median(*, either_side: bool) -> Choice:
    """The cut after the median's code, or also the one before it; of both the more even one."""

    def choose(axes: Sequence[Axis], rows: Rows, allows: Allows) -> Cut | None:
        for number in _widest_first(axes, rows):
            ordered = sorted(axes[number].codes[r] for r in rows)
            at = ordered[(len(rows) + 1) // 2 - 1]
            ends = {at, max((c for c in ordered if c < at and either_side), default=at)}
            if found := [c for c in _allowed(axes, number, rows, allows) if c.at in ends]:
                return min(found, key=_uneven)
        return None

    return choose


median, median_left = at_median(either_side=True), at_median(either_side=False)


def ncp(axes: Sequence[Axis], rows: Rows, allows: Allows) -> Cut | None:
    def loss(cut: Cut) -> float:
        sides = (cut.left, cut.right)
        return round(sum(len(s) * axis.penalty(s) for s in sides for axis in axes), 9)

    found = [_allowed(axes, number, rows, allows) for number in range(len(axes))]
    best = [min(of_axis, key=_uneven) for of_axis in found if of_axis]
    return min(best, key=lambda cut: (loss(cut), cut.axis), default=None)


def foresight(k: int) -> Choice:
    """Of all cuts, the one that will have lost least when its sides are cut down to k rows."""

    def choose(axes: Sequence[Axis], rows: Rows, allows: Allows) -> Cut | None:
        def loss(cut: Cut) -> float:
            sides = (cut.left, cut.right)
            shrunk = [len(side) * (k / len(side)) ** (1 / len(axes)) for side in sides]
            parts = zip(shrunk, sides, strict=True)
            return round(sum(size * axis.penalty(s) for size, s in parts for axis in axes), 9)

        found = [c for number in range(len(axes)) for c in _allowed(axes, number, rows, allows)]
        return min(found, key=lambda cut: (loss(cut), cut.axis, cut.at), default=None)

    return choose


def gaining(impurity: Callable[[Rows], float]) -> Choice:
    """The cut of the highest gain: of entropy or of variance."""

    def choose(axes: Sequence[Axis], rows: Rows, allows: Allows) -> Cut | None:
        def gain(cut: Cut) -> float:
            sides = len(cut.left) * impurity(cut.left) + len(cut.right) * impurity(cut.right)
            return round(impurity(rows) - sides / len(rows), 9)

        found = [c for number in range(len(axes)) for c in _allowed(axes, number, rows, allows)]
        gains = [cut for cut in found if gain(cut) > 0]
        return min(gains, key=lambda cut: (-gain(cut), cut.axis, cut.at), default=None)

    return choose


def entropy(values: Sequence[object]) -> Callable[[Rows], float]:
    def of(rows: Rows) -> float:
        counts = Counter(values[r] for r in rows).values()
        return -sum(n / len(rows) * log2(n / len(rows)) for n in counts)

    return of


def variance(values: Sequence[float]) -> Callable[[Rows], float]:
    def of(rows: Rows) -> float:
        mean = sum(values[r] for r in rows) / len(rows)
        return sum((values[r] - mean) ** 2 for r in rows) / len(rows)

    return of
