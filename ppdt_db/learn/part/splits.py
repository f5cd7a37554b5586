"""Choose the test of a tree node in memory as C4.5 does, all columns of a kind at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log2

import numpy as np

from ppdt_db.learn.arrays import Nominal, Ordered
from ppdt_db.learn.dataset import Codes, Numbers
from ppdt_db.learn.part.tally import Block, Subset, TallyTable, find_blocks

SMALL = 1e-6


@dataclass(frozen=True, kw_only=True)
class Split:
    """A possible test of a node, with the weight of each class in each branch."""

    feature: int
    counts: Numbers
    gain: float
    ratio: float
    threshold: float | Fraction | None = None


class Chooser:
    """The choice of tests for the subsets of one table."""

    def __init__(self, table: TallyTable, min_rows: int) -> None:
        self.table = table
        self.min_rows = min_rows
        self.ordered = list(find_blocks(table, Ordered))
        self.nominal = list(find_blocks(table, Nominal))

    def is_leaf(self, counts: Numbers) -> bool:
        """Return whether a subset of this weight must stay a leaf, whatever its features."""
        total = float(counts.sum())
        return total < 2 * self.min_rows - SMALL or float(counts.max()) >= total - SMALL

    def choose(self, subset: Subset, total: float) -> Split | None:
        """Return the split with the best gain ratio among those with at least the mean gain."""
        found = [split for block in self.ordered for split in self._cuts(block, subset, total)]
        found += [split for block in self.nominal for split in self._values(block, subset, total)]
        found.sort(key=lambda split: split.feature)
        is_wide = [
            isinstance(column, Nominal) and len(column.members) >= 0.3 * total
            for column in self.table.columns
        ]
        heard = [s.gain for s in found if all(is_wide) or not is_wide[s.feature]]
        mean = sum(heard) / len(heard) if heard else 0.0
        best: Split | None = None
        for split in found:
            if split.gain >= mean - 1e-3 and split.ratio > (best.ratio if best else 0) + 1e-12:
                best = split
        return best

    # -- names -----------------------------------------------------------------------------------

    def _values(self, block: Block, subset: Subset, total: float) -> Iterator[Split]:
        """Return the split of every nominal column that has one."""
        codes, counts, firsts = self._by_member(block, subset)
        places = np.flatnonzero(np.diff(firsts))
        if not len(places):
            return
        starts = firsts[places]
        bags = counts.sum(axis=0)
        n_large = np.add.reduceat((bags >= self.min_rows - SMALL).astype(np.int64), starts)
        wholes = np.add.reduceat(counts, starts, axis=1)
        after = np.add.reduceat(entropy_sums(counts), starts)
        gains = (entropy_sums(wholes) - after) / total
        spreads = np.add.reduceat(xlogx(bags), starts)
        known = wholes.sum(axis=0)
        for place in np.flatnonzero((n_large >= 2) & (gains > SMALL)).tolist():
            number = block.numbers[int(places[place])]
            here = slice(starts[place], firsts[places[place] + 1])
            column = self.table.columns[number]
            assert isinstance(column, Nominal)
            by_member = np.zeros((len(column.members), len(counts)))
            by_member[codes[here]] = counts[:, here].T
            gain = float(gains[place])
            yield Split(
                feature=number, counts=by_member, gain=round(gain, 12),
                ratio=_ratio(gain, float(spreads[place]), float(known[place]), total),
            )  # fmt: skip

    def _by_member(self, block: Block, subset: Subset) -> tuple[Codes, Numbers, Codes]:
        """Return the members that occur, their counts, and the start of each column."""
        present, counts = block.tally(subset)
        ends = np.searchsorted(present, block.starts)
        codes = present - np.repeat(block.starts[:-1], np.diff(ends))
        if block.is_plain:
            return codes, counts, ends
        parts, members = [], []
        for place, number in enumerate(block.numbers):
            here = slice(ends[place], ends[place + 1])
            column = self.table.columns[number]
            assert isinstance(column, Nominal)
            held, of_member = column.by_member(codes[here], counts[:, here])
            members.append(held)
            parts.append(of_member)
        firsts = np.cumsum([0, *map(len, members)])
        return np.concatenate(members), np.concatenate(parts, axis=1), firsts

    # -- numbers ---------------------------------------------------------------------------------

    def _cuts(self, block: Block, subset: Subset, total: float) -> Iterator[Split]:
        """Return the best cut of every numeric column that has one."""
        present, counts = block.tally(subset)
        ends = np.searchsorted(present, block.starts)
        running = np.zeros((len(counts), len(present) + 1))
        counts.cumsum(axis=1, out=running[:, 1:])
        wholes = running[:, ends[1:]] - running[:, ends[:-1]]
        column_of, left, cuts = self._allowed(running, wholes, ends)
        after = entropy_sums(left) + entropy_sums(wholes[:, column_of] - left)
        gains = np.round((entropy_sums(wholes)[column_of] - after) / total, 12)
        firsts = np.searchsorted(column_of, np.arange(len(block.numbers) + 1))
        for place in np.flatnonzero(np.diff(firsts)).tolist():
            first, last = int(firsts[place]), int(firsts[place + 1])
            best = first + int(gains[first:last].argmax())
            gain = float(gains[best]) - log2(last - first) / total
            if gains[best] <= SMALL or gain <= SMALL:
                continue
            number = block.numbers[place]
            codes = present[cuts[best] : cuts[best] + 2] - block.starts[place]
            sides = np.array([left[:, best], wholes[:, place] - left[:, best]])
            bags = sides.sum(axis=1)
            spread, known = float(xlogx(bags).sum()), float(bags.sum())
            yield Split(
                feature=number, counts=sides, gain=round(gain, 12),
                ratio=_ratio(gain, spread, known, total),
                threshold=self._threshold(number, codes),
            )  # fmt: skip

    def _allowed(
        self, running: Numbers, wholes: Numbers, ends: Codes
    ) -> tuple[Codes, Numbers, Codes]:
        """Return the cuts with enough rows on both sides: columns, left counts, positions."""
        known = wholes.sum(axis=0)
        least = np.maximum(0.1 * known / self.table.n_classes, self.min_rows)
        least = np.minimum(least, 25.0) - SMALL
        column_of = np.repeat(np.arange(len(known)), np.diff(ends))
        before = running[:, ends[:-1]]
        n_left = running.sum(axis=0)[1:] - before.sum(axis=0)[column_of]
        # The last code of a column leaves no rows above it, which is never enough.
        is_allowed = (n_left >= least[column_of]) & (known[column_of] - n_left >= least[column_of])
        cuts = np.flatnonzero(is_allowed)
        column_of = column_of[cuts]
        return column_of, running[:, cuts + 1] - before[:, column_of], cuts

    def _threshold(self, number: int, codes: Codes) -> float | Fraction:
        """Return the largest value of the whole table that is not above the midpoint of two."""
        column = self.table.columns[number]
        assert isinstance(column, Ordered)
        middle = column.values[codes].sum() / 2
        found = column.values[np.searchsorted(column.values, middle, side="right") - 1]
        return found if isinstance(found, Fraction) else float(found)


def xlogx(values: Numbers) -> Numbers:
    """Return each number times its logarithm; 0 for 0."""
    found: Numbers = values * np.log2(np.maximum(values, 1e-12))
    return found


def entropy_sums(counts: Numbers) -> Numbers:
    """Return the entropy of each column of counts, times its weight."""
    sums: Numbers = xlogx(counts.sum(axis=0)) - xlogx(counts).sum(axis=0)
    return sums


def _ratio(gain: float, spread: float, known: float, total: float) -> float:
    """Return the gain divided by the entropy of the branches, with missing values as one branch."""
    missing = max(total - known, 0.0)
    spread = total * log2(total) - spread - (missing * log2(missing) if missing > SMALL else 0.0)
    return round(gain * total / spread, 12) if spread > 0 else 0.0
