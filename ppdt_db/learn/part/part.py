"""PART: a decision list, each rule of which is a leaf of a partial C4.5 tree."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.learn.arrays import cover, make_columns, members_of
from ppdt_db.learn.grown import whole
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.partial import Grower
from ppdt_db.learn.rules import PartModel, Rule
from ppdt_db.learn.splits import SMALL
from ppdt_db.learn.tally import Subset, Table
from ppdt_db.learn.taught import Codes, Numbers, hold, teach
from ppdt_db.source import Source


@dataclass(frozen=True, kw_only=True)
class Part:
    """PART: rules from partial C4.5 trees.

    >>> Part(min_rows=0).faults
    ['min_rows=0: take at least 1.']
    """

    min_rows: int = 2
    confidence: float = 0.25

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        found = [] if self.min_rows >= 1 else [f"min_rows={self.min_rows}: take at least 1."]
        if not 0 < self.confidence <= 0.5:
            found.append(f"confidence={self.confidence}: it must be above 0, and at most 0.5.")
        return found

    def fit(self, engine: Engine, source: Source, columns: Columns) -> PartModel:
        """Learn from rows that are fetched into memory."""
        with engine.transaction():
            taught = teach(engine, source, columns, is_exact=True)
            held = hold(engine, taught.features, "target", is_exact=True)
            engine.drop("ppdt_reading")
        classes = np.array([whole(code) for code in held.answers]) - taught.first_class
        members = tuple(members_of(held, feature) for feature in taught.features)
        table = Table(
            columns=make_columns(taught.features, held, members),
            classes=classes,
            n_classes=len(taught.classes),
        )
        grower = Grower(table, self.min_rows, self.confidence)
        return PartModel(
            target=taught.target,
            classes=taught.classes,
            traits=taught.traits,
            members=members,
            rules=tuple(find_rules(grower, classes, held.n_rows)),
        )


def find_rules(grower: Grower, classes: Codes, n_rows: Numbers) -> Iterator[Rule]:
    """Rule after rule, each from what the ones before left over."""
    rows = np.flatnonzero(classes >= 0)
    weights = n_rows[rows]
    while weights.sum() > SMALL:
        end = grower.rule(Subset(rows=rows, weights=weights))
        yield Rule(conditions=end.path, counts=tuple(round(float(c), 9) for c in end.counts))
        weights = weights * (1 - cover(grower.table.columns, end.path, rows))
        is_left = weights > SMALL
        rows, weights = rows[is_left], weights[is_left]
