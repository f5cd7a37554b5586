"""The data that learners of releases share: features, classes, and rows in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ppdt_db.encode.columns import CarriedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.feature_types import Feature, Trait, make_forms, make_rows, with_origins
from ppdt_db.learn.features import find_features
from ppdt_db.learn.trees.training_set import Columns, check_classes
from ppdt_db.source.source import Source

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """The rows in `ppdt_reading` with their class as `target`, and their features."""

    target: str
    features: Sequence[Feature]
    classes: tuple[str, ...]
    first_class: int

    @property
    def traits(self) -> tuple[Trait, ...]:
        """The traits of the features that a model stores."""
        return tuple(feature.trait for feature in self.features)


def load_dataset(
    engine: Engine, source: Source, columns: Columns, *, is_exact: bool = False
) -> Dataset:
    """Load a source and its classes."""
    if columns.weight is not None:
        raise RequestError("this learner does not support weights. Remove the weight.")
    features = find_features(engine, source, columns.features)
    target = Dictionaries(engine, source).make(columns.target, 0, "extra")
    first_class = int(target.has_null)
    check_classes(target, target.n_codes - first_class)
    rows = engine.rows("learn/trees/class", {"first_class": first_class}, {"target": target})
    make_forms(engine, source, features)
    features = with_origins(engine, features)
    alias = target.dictionary_alias
    others = [CarriedColumn(name="target", form="code", column=target.name, alias=alias)]
    make_rows(engine, source, features, others, target=target, is_exact=is_exact)
    engine.drop("ppdt_extra_0")
    return Dataset(
        target=columns.target,
        features=features,
        classes=tuple(str(value) for _, value in rows),
        first_class=first_class,
    )


@dataclass(frozen=True, kw_only=True)
class DistinctRows:
    """Distinct rows in memory: intervals, or sets of members, with the number of rows of each."""

    answers: list[object]
    n_rows: Numbers
    lows: dict[int, Numbers]
    highs: dict[int, Numbers]
    sets: dict[int, list[tuple[str, ...] | None]]

    @property
    def size(self) -> int:
        """The number of distinct rows."""
        return len(self.answers)


def fetch_rows(
    engine: Engine, features: Sequence[Feature], answer: str, *, is_exact: bool = False
) -> DistinctRows:
    """Fetch `ppdt_reading`; `answer` is `target` or `truth`.

    If it was read exactly, the numbers of features that have an origin are fractions.
    """
    rows = engine.rows("learn/predict/combination", names={"features": features, "answer": answer})
    n_columns = 2 + sum(1 + (feature.kind == "ordered") for feature in features)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * n_columns
    answers, n_rows, *rest = columns
    held = DistinctRows(answers=answers, n_rows=_numbers(n_rows), lows={}, highs={}, sets={})
    for feature in features:
        if feature.kind == "ordered":
            exact = feature.axis.per_second if is_exact and feature.trait.origin else 0
            for ends in (held.lows, held.highs):
                column = rest.pop(0)
                ends[feature.position] = _exact(column, exact) if exact else _numbers(column)
        else:
            shown = rest.pop(0)
            held.sets[feature.position] = [None if s is None else tuple(s) for s in shown]
    return held


def _numbers(values: list[object]) -> Numbers:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _exact(values: list[object], per_second: int) -> Numbers:
    """Return fractions as objects; NaN if unknown."""
    found = np.empty(len(values), dtype=object)
    found[:] = [np.nan if v is None else Fraction(str(v)) / per_second for v in values]
    return found
