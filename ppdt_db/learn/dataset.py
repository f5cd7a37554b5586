"""What the learners that read releases share: features, classes, and rows held in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ppdt_db.coded import Other
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.features import find_features
from ppdt_db.learn.lesson import Columns, check_classes
from ppdt_db.learn.reading import Feature, Trait, make_forms, make_rows, with_origins
from ppdt_db.source import Source

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Taught:
    """Rows in `ppdt_reading` with their class as `target`, and what is known of them."""

    target: str
    features: Sequence[Feature]
    classes: tuple[str, ...]
    first_class: int

    @property
    def traits(self) -> tuple[Trait, ...]:
        """What a model remembers of the features."""
        return tuple(feature.trait for feature in self.features)


def teach(engine: Engine, source: Source, columns: Columns, *, is_exact: bool = False) -> Taught:
    """Read a source and its classes."""
    if columns.weight is not None:
        raise RequestError("this learner takes no weights. Leave out the weight.")
    features = find_features(engine, source, columns.features)
    target = Dictionaries(engine, source).make(columns.target, 0, "extra")
    first_class = int(target.has_null)
    check_classes(target, target.n_codes - first_class)
    rows = engine.rows("tree/class", {"first_class": first_class}, {"target": target})
    make_forms(engine, source, features)
    features = with_origins(engine, features)
    alias = target.dictionary_alias
    others = [Other(name="target", form="code", column=target.name, alias=alias)]
    make_rows(engine, source, features, others, target=target, is_exact=is_exact)
    engine.drop("ppdt_extra_0")
    return Taught(
        target=columns.target,
        features=features,
        classes=tuple(str(value) for _, value in rows),
        first_class=first_class,
    )


@dataclass(frozen=True, kw_only=True)
class Held:
    """Distinct rows in memory: intervals, or sets of members, and how many rows show them."""

    answers: list[object]
    n_rows: Numbers
    lows: dict[int, Numbers]
    highs: dict[int, Numbers]
    sets: dict[int, list[tuple[str, ...] | None]]

    @property
    def size(self) -> int:
        """The number of distinct rows."""
        return len(self.answers)


def hold(
    engine: Engine, features: Sequence[Feature], answer: str, *, is_exact: bool = False
) -> Held:
    """Fetch `ppdt_reading`; `answer` is `target` or `truth`.

    Where it was read exactly, the numbers of features that have an origin are fractions.
    """
    rows = engine.rows("held/combination", names={"features": features, "answer": answer})
    n_columns = 2 + sum(1 + (feature.kind == "ordered") for feature in features)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * n_columns
    answers, n_rows, *rest = columns
    held = Held(answers=answers, n_rows=_numbers(n_rows), lows={}, highs={}, sets={})
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
    """Fractions, as objects; NaN where nothing is known."""
    found = np.empty(len(values), dtype=object)
    found[:] = [np.nan if v is None else Fraction(str(v)) / per_second for v in values]
    return found
