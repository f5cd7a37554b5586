"""Partial C4.5 trees on arrays in memory (Frank and Witten 1998): each gives one rule.

A subset is expanded when its classes are the least mixed; where one comes back that is no leaf, its
siblings stay as they are. The leaf that covers most becomes the rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ppdt_db.learn.prune import expected_errors
from ppdt_db.learn.taught import Codes, Numbers
from ppdt_db.tree import ONE_ROW

SMALL = 1e-6


@dataclass(frozen=True, kw_only=True)
class Ordered:
    """A feature of intervals: the code of each middle (-1: missing), the middles, and the ends."""

    codes: Codes
    values: Numbers
    lows: Numbers
    highs: Numbers
    has_width: bool


@dataclass(frozen=True, kw_only=True)
class Nominal:
    """A feature of sets: the code of each form (-1: missing), and a row of shares for each form."""

    codes: Codes
    members: tuple[str, ...]
    shares: Numbers


Column: TypeAlias = Ordered | Nominal


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One way on from a split; a missing value takes it with `share` of its weight."""

    feature: int
    branch: int
    share: float
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows, their classes, and their features."""

    columns: Sequence[Column]
    classes: Codes
    n_classes: int


@dataclass(frozen=True, kw_only=True)
class Split:
    """A test that a node can make, with what goes which way."""

    feature: int
    counts: Numbers
    gain: float
    ratio: float
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class Subset:
    """Rows with their weights."""

    rows: Codes
    weights: Numbers


@dataclass(frozen=True, kw_only=True)
class End:
    """What came of a subset: a leaf, or a way down to the leaf that covers most."""

    counts: Numbers
    path: tuple[Condition, ...] = ()
    is_leaf: bool = True
    coverage: float = 0.0


@dataclass(kw_only=True)
class _Open:
    """A split whose subsets are being expanded."""

    split: Split
    bags: Numbers
    parts: list[Subset]
    ends: dict[int, End] = field(default_factory=dict)
    at: int = 0


class Grower:
    """Grows one partial tree after the other from what is left of a table."""

    def __init__(self, table: Table, min_rows: int, confidence: float) -> None:
        self.table = table
        self.min_rows = min_rows
        self.confidence = confidence

    def rule(self, subset: Subset) -> End:
        """The leaf that covers most in a partial tree of a subset."""
        stack: list[_Open] = []
        pending: Subset | None = subset
        end: End | None = None
        while True:
            if pending is not None:
                split = self._choose(pending)
                if split is None:
                    end = self._leaf(pending)
                else:
                    stack.append(self._open(split, pending))
            while end is not None:
                if not stack:
                    return end
                stack[-1].ends[stack[-1].at] = end
                end = self._closed(stack[-1])
                if end is not None:
                    stack.pop()
            pending, end = self._next(stack[-1])
            if end is not None:
                stack.pop()

    # -- expanding -------------------------------------------------------------------------------

    def _open(self, split: Split, subset: Subset) -> _Open:
        parts = divide(self.table, split, subset)
        bags = np.array([self._counts(part) for part in parts])
        return _Open(split=split, bags=bags, parts=parts)

    def _next(self, top: _Open) -> tuple[Subset | None, End | None]:
        """The subset to expand next: of those that are large enough the least mixed."""
        totals = top.bags.sum(axis=1)
        least, chosen = np.inf, -1
        for number, total in enumerate(totals):
            if number in top.ends or total < self.min_rows - SMALL:
                continue
            mixed = -_xlogx(top.bags[number]).sum() + _xlogx(total)
            mixed = round(float(mixed / total), 12)
            if least - mixed > SMALL:
                least, chosen = mixed, number
        if chosen >= 0:
            top.at = chosen
            return top.parts[chosen], None
        if not top.ends:
            return None, End(counts=top.bags.sum(axis=0), coverage=float(totals.sum()))
        for number, part in enumerate(top.parts):
            if number not in top.ends:
                top.ends[number] = self._leaf(part)
        return None, self._pruned(top)

    def _closed(self, top: _Open) -> End | None:
        """What came of a split, once it is known; else None."""
        if not top.ends[top.at].is_leaf:
            return self._best(top)
        return self._pruned(top) if len(top.ends) == len(top.parts) else None

    def _pruned(self, top: _Open) -> End:
        """A leaf in place of leaves, where it lets expect no more errors."""
        counts = top.bags.sum(axis=0)
        below = sum(self._errors(end.counts) for end in top.ends.values())
        if self._errors(counts) <= below + SMALL:
            return End(counts=counts, coverage=float(counts.sum()))
        return self._best(top)

    def _best(self, top: _Open) -> End:
        """The way to the leaf that covers most; of equals the first."""
        totals = top.bags.sum(axis=1)
        shares = totals / totals.sum()
        chosen, most = min(top.ends), -np.inf
        for number, end in sorted(top.ends.items()):
            if totals[number] >= self.min_rows - SMALL and end.coverage > most + SMALL:
                chosen, most = number, end.coverage
        end = top.ends[chosen]
        condition = Condition(
            feature=top.split.feature, branch=chosen, share=float(shares[chosen]),
            threshold=top.split.threshold,
        )  # fmt: skip
        return End(
            counts=end.counts, path=(condition, *end.path), is_leaf=False, coverage=end.coverage
        )

    def _leaf(self, subset: Subset) -> End:
        counts = self._counts(subset)
        return End(counts=counts, coverage=float(counts.sum()))

    def _counts(self, subset: Subset) -> Numbers:
        classes = self.table.classes[subset.rows]
        return _weigh(classes, subset.weights, self.table.n_classes)

    def _errors(self, counts: Numbers) -> float:
        whole = [round(float(count) * ONE_ROW) for count in counts]
        return expected_errors(sum(whole), sum(whole) - max(whole), self.confidence)

    # -- choosing --------------------------------------------------------------------------------

    def _choose(self, subset: Subset) -> Split | None:
        """The best gain ratio among the tests whose gain is no less than the mean."""
        counts = self._counts(subset)
        total = float(counts.sum())
        if total < 2 * self.min_rows - SMALL or counts.max() >= total - SMALL:
            return None
        classes = self.table.classes[subset.rows]
        found: list[Split] = []
        for number, column in enumerate(self.table.columns):
            tallied = _tally(column, subset, classes, self.table.n_classes)
            if isinstance(column, Ordered):
                split = self._cut(number, column, *tallied, total)
            else:
                split = self._values(number, tallied[1], total)
            if split is not None:
                found.append(split)
        many = [len(c.members) >= 0.3 * total for c in self.table.columns if isinstance(c, Nominal)]
        all_many = len(many) == len(self.table.columns) and all(many)
        heard = [s.gain for s in found if all_many or not self._is_wide(s, total)]
        mean = sum(heard) / len(heard) if heard else 0.0
        best: Split | None = None
        for split in found:
            if split.gain >= mean - 1e-3 and split.ratio > (best.ratio if best else 0) + 1e-12:
                best = split
        return best

    def _is_wide(self, split: Split, total: float) -> bool:
        column = self.table.columns[split.feature]
        return isinstance(column, Nominal) and len(column.members) >= 0.3 * total

    def _values(self, number: int, counts: Numbers, total: float) -> Split | None:
        bags = counts.sum(axis=1)
        if (bags >= self.min_rows - SMALL).sum() < 2:
            return None
        known = bags.sum()
        gain = (_entropy_sum(counts.sum(axis=0)) - _entropy_sums(counts).sum()) / total
        if gain <= SMALL:
            return None
        return Split(
            feature=number, counts=counts, gain=round(float(gain), 12),
            ratio=_ratio(gain, bags, total - known, total),
        )  # fmt: skip

    def _cut(
        self, number: int, column: Ordered, present: Codes, counts: Numbers, total: float
    ) -> Split | None:
        if len(present) < 2:
            return None
        running = counts.cumsum(axis=0)
        whole = running[-1]
        known = float(whole.sum())
        least = min(max(0.1 * known / self.table.n_classes, self.min_rows), 25.0)
        if known < 2 * least - SMALL:
            return None
        left = running[:-1]
        n_left = left.sum(axis=1)
        allowed = (n_left >= least - SMALL) & (known - n_left >= least - SMALL)
        n_allowed = int(allowed.sum())
        if not n_allowed:
            return None
        after = _entropy_sums(left) + _entropy_sums(whole - left)
        gains = np.where(allowed, np.round((_entropy_sum(whole) - after) / total, 12), -np.inf)
        at = int(gains.argmax())
        gain = float(gains[at]) - np.log2(n_allowed) / total
        if gains[at] <= SMALL or gain <= SMALL:
            return None
        middle = (column.values[present[at]] + column.values[present[at + 1]]) / 2
        place = int(np.searchsorted(column.values, middle, side="right")) - 1
        bags = np.array([n_left[at], known - n_left[at]])
        return Split(
            feature=number, counts=np.array([left[at], whole - left[at]]),
            gain=round(float(gain), 12), ratio=_ratio(gain, bags, total - known, total),
            threshold=float(column.values[place]),
        )  # fmt: skip


def _tally(column: Column, subset: Subset, classes: Codes, n_classes: int) -> tuple[Codes, Numbers]:
    """The codes that occur, and the weight of each class with them."""
    codes = column.codes[subset.rows]
    weights = subset.weights
    is_known = codes >= 0
    if not is_known.all():
        codes, weights, classes = codes[is_known], weights[is_known], classes[is_known]
    if isinstance(column, Nominal):
        n_forms = len(column.shares)
        counts = _weigh(codes * n_classes + classes, weights, n_forms * n_classes)
        return codes, column.shares.T @ counts.reshape(n_forms, n_classes)
    if len(column.values) > 4 * len(codes):
        present, codes = np.unique(codes, return_inverse=True)
        counts = _weigh(codes * n_classes + classes, weights, len(present) * n_classes)
        return present.astype(np.int64), counts.reshape(-1, n_classes)
    counts = _weigh(codes * n_classes + classes, weights, len(column.values) * n_classes)
    by_code = counts.reshape(-1, n_classes)
    present = np.flatnonzero(by_code.any(axis=1)).astype(np.int64)
    return present, by_code[present]


def divide(table: Table, split: Split, subset: Subset) -> list[Subset]:
    """The subset of each branch; what is missing goes every way by the branches' weights."""
    bags = split.counts.sum(axis=1)
    parts = []
    for branch, share in enumerate(bags / bags.sum()):
        condition = Condition(
            feature=split.feature, branch=branch, share=float(share), threshold=split.threshold
        )
        weights = subset.weights * fractions(table.columns, condition, subset.rows)
        is_here = weights > 1e-9
        parts.append(Subset(rows=subset.rows[is_here], weights=weights[is_here]))
    return parts


def fractions(columns: Sequence[Column], condition: Condition, rows: Codes) -> Numbers:
    """How much of each row meets a condition."""
    column = columns[condition.feature]
    codes = column.codes[rows]
    part: Numbers
    if isinstance(column, Nominal):
        if not len(column.shares):
            part = np.zeros(len(rows))
        else:
            # What is missing has no code; its share comes below.
            part = column.shares[:, condition.branch][codes]
    else:
        assert condition.threshold is not None
        lows = column.lows[rows]
        part = np.asarray(lows <= condition.threshold, dtype=np.float64)
        if column.has_width:
            highs = column.highs[rows]
            with np.errstate(divide="ignore", invalid="ignore"):
                inside = (condition.threshold - lows) / (highs - lows)
            is_cut = (lows <= condition.threshold) & (condition.threshold < highs)
            part = np.where(is_cut, inside, part).astype(np.float64)
        part = 1.0 - part if condition.branch else part
    return np.where(codes < 0, condition.share, part)


def _weigh(places: Codes, weights: Numbers, n_places: int) -> Numbers:
    """The weight at each place."""
    return np.bincount(places, weights, n_places).astype(np.float64)


def _xlogx(values: Numbers | float) -> Numbers:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers * np.log2(np.where(numbers > 1e-12, numbers, 1.0))


def _entropy_sums(counts: Numbers) -> Numbers:
    """The entropy of each row of counts, times its weight."""
    sums: Numbers = _xlogx(counts.sum(axis=1)) - _xlogx(counts).sum(axis=1)
    return sums


def _entropy_sum(counts: Numbers) -> float:
    return float(_xlogx(counts.sum()) - _xlogx(counts).sum())


def _ratio(gain: float, bags: Numbers, missing: float, total: float) -> float:
    spread = float(_xlogx(total) - _xlogx(bags).sum() - _xlogx(max(missing, 0.0))) / total
    return round(gain / spread, 12) if spread > 0 else 0.0
