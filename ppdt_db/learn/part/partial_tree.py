"""Partial C4.5 trees on arrays in memory (Frank and Witten 1998): each gives one rule.

A subset is expanded when its classes are the least mixed; where one comes back that is no leaf, its
siblings stay as they are. The leaf that covers most becomes the rule.
"""

from dataclasses import dataclass, field

import numpy as np

from ppdt_db.learn.arrays import Condition, Ordered, fractions
from ppdt_db.learn.prune import expected_errors
from ppdt_db.learn.splits import SMALL, Chooser, Split, entropy_sums
from ppdt_db.learn.tally import Subset, Table
from ppdt_db.learn.taught import Numbers
from ppdt_db.tree import ONE_ROW


@dataclass(frozen=True, kw_only=True)
class End:
    """What came of a subset: a leaf, or a way down to the leaf that covers most."""

    counts: Numbers
    path: tuple[Condition, ...] = ()
    is_leaf: bool = True
    coverage: float = 0.0


@dataclass(kw_only=True)
class _Open:
    """A split whose subsets are being expanded: those large enough, and those of them that wait."""

    split: Split
    subset: Subset
    shares: Numbers
    bags: Numbers
    large: set[int] = field(default_factory=set)
    waiting: list[int] = field(default_factory=list)
    ends: dict[int, End] = field(default_factory=dict)
    at: int = 0


class Grower:
    """Grows one partial tree after the other from what is left of a table."""

    def __init__(self, table: Table, min_rows: int, confidence: float) -> None:
        self.table = table
        self.min_rows = min_rows
        self.confidence = confidence
        self.chooser = Chooser(table, min_rows)

    def rule(self, subset: Subset) -> End:
        """The leaf that covers most in a partial tree of a subset."""
        stack: list[_Open] = []
        end = self._enter(stack, subset, self.table.count(subset))
        while True:
            while end is not None:
                if not stack:
                    return end
                top = stack[-1]
                top.ends[top.at] = end
                end = self._closed(top)
                if end is not None:
                    stack.pop()
            end = self._expand(stack)

    # -- expanding -------------------------------------------------------------------------------

    def _enter(self, stack: list[_Open], subset: Subset, counts: Numbers) -> End | None:
        """A leaf, or None where the subset is split: then it lies on the stack."""
        split = self.chooser.choose(subset, float(counts.sum()))
        if split is None:
            return _leaf(counts)
        stack.append(self._open(split, subset))
        return None

    def _open(self, split: Split, subset: Subset) -> _Open:
        column = self.table.columns[split.feature]
        known = split.counts.sum(axis=1)
        top = _Open(split=split, subset=subset, shares=known / known.sum(), bags=split.counts)
        is_missing = column.codes[subset.rows] < 0
        if isinstance(column, Ordered) and column.has_width:
            # The cut was chosen by middles; an interval that it crosses goes either way in part.
            parts = [self._part(top, branch) for branch in range(len(known))]
            top.bags = np.array([self.table.count(part) for part in parts])
        elif is_missing.any():
            missing = Subset(rows=subset.rows[is_missing], weights=subset.weights[is_missing])
            top.bags = split.counts + top.shares[:, None] * self.table.count(missing)
        totals = top.bags.sum(axis=1)
        mixtures = np.round(entropy_sums(top.bags.T) / np.maximum(totals, SMALL), 9)
        is_large = totals >= self.min_rows - SMALL
        top.large = set(np.flatnonzero(is_large).tolist())
        # The least mixed is expanded first, of equals the first: it is taken from the end.
        order = np.lexsort((np.arange(len(totals)), mixtures))
        top.waiting = order[is_large[order]][::-1].tolist()
        return top

    def _expand(self, stack: list[_Open]) -> End | None:
        """Go on with the least mixed subset that is large enough; where none is left, close up."""
        top = stack[-1]
        if top.waiting:
            top.at = top.waiting.pop()
            counts = top.bags[top.at]
            if self.chooser.is_leaf(counts):
                return _leaf(counts)
            return self._enter(stack, self._part(top, top.at), counts)
        stack.pop()
        if not top.ends:
            return _leaf(top.bags.sum(axis=0))
        for number, counts in enumerate(top.bags):
            top.ends.setdefault(number, _leaf(counts))
        return self._pruned(top)

    def _part(self, top: _Open, branch: int) -> Subset:
        """The subset of a branch; what is missing goes every way by the branches' weights."""
        rows = top.subset.rows
        weights = top.subset.weights * fractions(self.table.columns, _way(top, branch), rows)
        is_here = weights > 1e-9
        return Subset(rows=rows[is_here], weights=weights[is_here])

    # -- closing ---------------------------------------------------------------------------------

    def _closed(self, top: _Open) -> End | None:
        """What came of a split, once it is known; else None."""
        if not top.ends[top.at].is_leaf:
            return self._best(top)
        return self._pruned(top) if len(top.ends) == len(top.bags) else None

    def _pruned(self, top: _Open) -> End:
        """A leaf in place of leaves, where it lets expect no more errors."""
        counts = top.bags.sum(axis=0)
        below = sum(self._errors(end.counts) for end in top.ends.values())
        if self._errors(counts) <= below + SMALL:
            return _leaf(counts)
        return self._best(top)

    def _best(self, top: _Open) -> End:
        """The way to the leaf that covers most; of equals the first."""
        chosen, most = min(top.ends), -np.inf
        for number, end in sorted(top.ends.items()):
            if number in top.large and end.coverage > most + SMALL:
                chosen, most = number, end.coverage
        end = top.ends[chosen]
        return End(
            counts=end.counts, path=(_way(top, chosen), *end.path), is_leaf=False,
            coverage=end.coverage,
        )  # fmt: skip

    def _errors(self, counts: Numbers) -> float:
        whole = [round(count * ONE_ROW) for count in counts.tolist()]
        return expected_errors(sum(whole), sum(whole) - max(whole), self.confidence)


def _leaf(counts: Numbers) -> End:
    return End(counts=counts, coverage=float(counts.sum()))


def _way(top: _Open, branch: int) -> Condition:
    return Condition(
        feature=top.split.feature, branch=branch, share=float(top.shares[branch]),
        threshold=top.split.threshold,
    )  # fmt: skip
