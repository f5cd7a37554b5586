"""Partial C4.5 trees on arrays in memory (Frank and Witten 1998): each gives one rule.

Subsets are expanded in the order of their entropy, lowest first; once one does not end as a leaf,
its siblings are not expanded. The leaf with the largest coverage becomes the rule.
"""

from dataclasses import dataclass, field

import numpy as np

from ppdt_db.learn.arrays import Condition, Ordered, fractions
from ppdt_db.learn.dataset import Numbers
from ppdt_db.learn.part.splits import SMALL, Chooser, Split, entropy_sums
from ppdt_db.learn.part.tally import Subset, TallyTable
from ppdt_db.learn.trees.prune import expected_errors
from ppdt_db.tree.tree import ONE_ROW


@dataclass(frozen=True, kw_only=True)
class End:
    """The result of a subset: a leaf, or the path down to the leaf with the largest coverage."""

    counts: Numbers
    path: tuple[Condition, ...] = ()
    is_leaf: bool = True
    coverage: float = 0.0


@dataclass(kw_only=True)
class _Open:
    """A split whose subsets are being expanded: the large ones, and those of them that wait."""

    split: Split
    subset: Subset
    shares: Numbers
    bags: Numbers
    large: set[int] = field(default_factory=set)
    waiting: list[int] = field(default_factory=list)
    ends: dict[int, End] = field(default_factory=dict)
    at: int = 0


class Grower:
    """The state of growth: one partial tree after the other from the remaining rows of a table."""

    def __init__(self, table: TallyTable, min_rows: int, confidence: float) -> None:
        self.table = table
        self.min_rows = min_rows
        self.confidence = confidence
        self.chooser = Chooser(table, min_rows)

    def rule(self, subset: Subset) -> End:
        """Return the leaf with the largest coverage in a partial tree of a subset."""
        stack: list[_Open] = []
        end = self._split_or_leaf(stack, subset, self.table.count(subset))
        while True:
            while end is not None:
                if not stack:
                    return end
                top = stack[-1]
                top.ends[top.at] = end
                end = self._result_of(top)
                if end is not None:
                    stack.pop()
            end = self._expand(stack)

    # -- expanding -------------------------------------------------------------------------------

    def _split_or_leaf(self, stack: list[_Open], subset: Subset, counts: Numbers) -> End | None:
        """Return a leaf, or push the split of the subset onto the stack and return None."""
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
            # The cut was chosen by midpoints; an interval across it goes to both sides in part.
            parts = [self._part(top, branch) for branch in range(len(known))]
            top.bags = np.array([self.table.count(part) for part in parts])
        elif is_missing.any():
            missing = Subset(rows=subset.rows[is_missing], weights=subset.weights[is_missing])
            top.bags = split.counts + top.shares[:, None] * self.table.count(missing)
        totals = top.bags.sum(axis=1)
        mixtures = np.round(entropy_sums(top.bags.T) / np.maximum(totals, SMALL), 9)
        is_large = totals >= self.min_rows - SMALL
        top.large = set(np.flatnonzero(is_large).tolist())
        # The lowest entropy is expanded first, the first of equal ones: it is taken from the end.
        order = np.lexsort((np.arange(len(totals)), mixtures))
        top.waiting = order[is_large[order]][::-1].tolist()
        return top

    def _expand(self, stack: list[_Open]) -> End | None:
        """Expand the large subset with the lowest entropy; if none is left, close the split."""
        top = stack[-1]
        if top.waiting:
            top.at = top.waiting.pop()
            counts = top.bags[top.at]
            if self.chooser.is_leaf(counts):
                return _leaf(counts)
            return self._split_or_leaf(stack, self._part(top, top.at), counts)
        stack.pop()
        if not top.ends:
            return _leaf(top.bags.sum(axis=0))
        for number, counts in enumerate(top.bags):
            top.ends.setdefault(number, _leaf(counts))
        return self._pruned(top)

    def _part(self, top: _Open, branch: int) -> Subset:
        """Return the subset of a branch; missing values go to all branches by weight."""
        rows = top.subset.rows
        weights = top.subset.weights * fractions(
            self.table.columns, _condition_of(top, branch), rows
        )
        is_here = weights > 1e-9
        return Subset(rows=rows[is_here], weights=weights[is_here])

    # -- closing ---------------------------------------------------------------------------------

    def _result_of(self, top: _Open) -> End | None:
        """Return the result of a split if it is known, else None."""
        if not top.ends[top.at].is_leaf:
            return self._best_path(top)
        return self._pruned(top) if len(top.ends) == len(top.bags) else None

    def _pruned(self, top: _Open) -> End:
        """Return a leaf if it is not expected to err more than those below, else the best path."""
        counts = top.bags.sum(axis=0)
        below = sum(self._errors(end.counts) for end in top.ends.values())
        if self._errors(counts) <= below + SMALL:
            return _leaf(counts)
        return self._best_path(top)

    def _best_path(self, top: _Open) -> End:
        """Return the path to the leaf with the largest coverage, the first of equal ones."""
        chosen, most = min(top.ends), -np.inf
        for number, end in sorted(top.ends.items()):
            if number in top.large and end.coverage > most + SMALL:
                chosen, most = number, end.coverage
        end = top.ends[chosen]
        return End(
            counts=end.counts, path=(_condition_of(top, chosen), *end.path), is_leaf=False,
            coverage=end.coverage,
        )  # fmt: skip

    def _errors(self, counts: Numbers) -> float:
        whole = [round(count * ONE_ROW) for count in counts.tolist()]
        return expected_errors(sum(whole), sum(whole) - max(whole), self.confidence)


def _leaf(counts: Numbers) -> End:
    return End(counts=counts, coverage=float(counts.sum()))


def _condition_of(top: _Open, branch: int) -> Condition:
    return Condition(
        feature=top.split.feature, branch=branch, share=float(top.shares[branch]),
        threshold=top.split.threshold,
    )  # fmt: skip
