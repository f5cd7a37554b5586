"""Count classes by the values of many columns of a table in memory at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdt_db.learn.arrays import Column, Nominal
from ppdt_db.learn.dataset import Codes, Numbers

COUNTS_OF_BLOCK = 4_000_000


@dataclass(frozen=True, kw_only=True)
class Subset:
    """Rows with their weights."""

    rows: Codes
    weights: Numbers


@dataclass(frozen=True, kw_only=True)
class TallyTable:
    """Rows, their classes, and their features."""

    columns: Sequence[Column]
    classes: Codes
    n_classes: int

    def count(self, subset: Subset) -> Numbers:
        """Return the weight of each class in a subset."""
        classes = self.classes[subset.rows]
        return np.bincount(classes, subset.weights, self.n_classes).astype(np.float64)


class Block:
    """Columns of one kind with consecutive codes; missing values have the last code.

    Counts have a row for each class and a column for each code.
    """

    def __init__(self, table: TallyTable, numbers: Sequence[int]) -> None:
        self.table = table
        self.numbers = numbers
        columns = [table.columns[number] for number in numbers]
        self.starts = np.cumsum([0, *(column.n_codes for column in columns)])
        self.none = int(self.starts[-1])
        self.is_plain = all(not isinstance(c, Nominal) or c.is_plain for c in columns)
        self.codes = np.stack(
            [
                np.where(column.codes >= 0, column.codes + start, self.none)
                for column, start in zip(columns, self.starts, strict=False)
            ],
            axis=1,
        )

    def tally(self, subset: Subset) -> tuple[Codes, Numbers]:
        """Return the codes that occur, and the weight of each class with them."""
        codes = self.codes[subset.rows]
        n_classes = self.table.n_classes
        is_sparse = 8 * codes.size < self.none
        present, n_places = np.arange(self.none), self.none + 1
        if is_sparse:
            present, places = np.unique(codes, return_inverse=True)
            codes, n_places = places.reshape(codes.shape), len(present)
            present = present[present < self.none]
        keys = codes + self.table.classes[subset.rows][:, None] * n_places
        weights = np.repeat(subset.weights, codes.shape[1])
        counts = np.bincount(keys.ravel(), weights, n_places * n_classes)
        by_code = counts.reshape(n_classes, -1)[:, : len(present)].astype(np.float64)
        if not is_sparse:
            present = np.flatnonzero(by_code.any(axis=0))
            by_code = by_code[:, present]
        return present.astype(np.int64), by_code


def find_blocks(table: TallyTable, kind: type[Column]) -> Iterator[Block]:
    """Return the columns of a kind that have values, in blocks within the size limit."""
    numbers: list[int] = []
    n_counts = 0
    for number, column in enumerate(table.columns):
        if not isinstance(column, kind) or not column.n_codes:
            continue
        n_own = column.n_codes * table.n_classes
        if numbers and n_counts + n_own > COUNTS_OF_BLOCK:
            yield Block(table, numbers)
            numbers, n_counts = [], 0
        numbers.append(number)
        n_counts += n_own
    if numbers:
        yield Block(table, numbers)
