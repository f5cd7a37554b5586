"""PART: a decision list whose rules are leaves of partial C4.5 trees."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.learn.arrays import cover, make_columns, members_of
from ppdt_db.learn.dataset import Codes, Numbers, fetch_rows, load_dataset
from ppdt_db.learn.part.partial_tree import Grower
from ppdt_db.learn.part.rule_list import PartModel, Rule
from ppdt_db.learn.part.splits import SMALL
from ppdt_db.learn.part.tally import Subset, TallyTable
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.training_set import Columns, growth_faults
from ppdt_db.source.source import Source


@dataclass(frozen=True, kw_only=True)
class Part:
    """PART: rules from partial C4.5 trees.

    >>> Part(min_rows=0).faults
    ['min_rows=0: must be at least 1.']
    """

    min_rows: int = 2
    confidence: float = 0.25

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        return growth_faults(self.min_rows, self.confidence)

    def fit(self, engine: Engine, source: Source, columns: Columns) -> PartModel:
        """Learn from rows that are fetched into memory."""
        with engine.transaction():
            taught = load_dataset(engine, source, columns, is_exact=True)
            held = fetch_rows(engine, taught.features, "target", is_exact=True)
            engine.drop("ppdt_reading")
        classes = np.array([as_int(code) for code in held.answers]) - taught.first_class
        members = tuple(members_of(held, feature) for feature in taught.features)
        table = TallyTable(
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
    """Return the rules in turn, each from the rows that earlier ones leave."""
    rows = np.flatnonzero(classes >= 0)
    weights = n_rows[rows]
    while weights.sum() > SMALL:
        end = grower.rule(Subset(rows=rows, weights=weights))
        yield Rule(conditions=end.path, counts=tuple(round(float(c), 9) for c in end.counts))
        weights = weights * (1 - cover(grower.table.columns, end.path, rows))
        is_left = weights > SMALL
        rows, weights = rows[is_left], weights[is_left]
