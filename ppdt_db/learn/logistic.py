"""Logistic regression through scikit-learn: standardized numbers, one column for each member."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdt_db.engine import DuckEngine
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.extra import sklearn_module
from ppdt_db.learn.grown import whole
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.part import make_columns, members_of
from ppdt_db.learn.partial import Column, Nominal, Ordered
from ppdt_db.learn.reading import Trait
from ppdt_db.learn.taught import Numbers, ask, hold, teach
from ppdt_db.source import Source

Centre = tuple[float, float] | int


@dataclass(frozen=True, kw_only=True)
class LogisticModel:
    """Fitted coefficients, and how a row becomes numbers."""

    target: str
    classes: tuple[str, ...]
    traits: tuple[Trait, ...]
    members: tuple[tuple[str, ...], ...]
    centres: tuple[Centre, ...]
    fitted: Any

    @property
    def size(self) -> int:
        """How many coefficients it has."""
        return int(self.fitted.coef_.size + self.fitted.intercept_.size)

    def confusion(self, engine: DuckEngine, source: Source, truth: str) -> Confusion:
        """How often which class was taken for which."""
        features = ask(engine, source, self.traits, truth)
        held = hold(engine, features, "truth")
        columns = make_columns(features, held, self.members)
        scores = self.fitted.decision_function(_matrix(columns, self.centres, held.size))
        if scores.ndim == 1:
            places = (np.round(scores, 12) > 0).astype(int)
        else:
            places = np.round(scores, 12).argmax(axis=1)
        taken: dict[tuple[str | None, str], int] = {}
        for true, place, n_rows in zip(held.answers, places, held.n_rows, strict=True):
            label = self.classes[int(self.fitted.classes_[place])]
            key = (None if true is None else str(true)), label
            taken[key] = taken.get(key, 0) + int(n_rows)
        return taken


@dataclass(frozen=True, kw_only=True)
class Logistic:
    """Logistic regression with a slight ridge; needs the extra `sklearn`.

    >>> Logistic(penalty=0.0).faults
    ['penalty=0.0: it must be above 0.']
    """

    penalty: float = 1e-2

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        return [] if self.penalty > 0 else [f"penalty={self.penalty}: it must be above 0."]

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> LogisticModel:
        """Learn from rows that are fetched into memory."""
        linear = sklearn_module("linear_model")
        with engine.transaction():
            taught = teach(engine, source, columns)
            held = hold(engine, taught.features, "target")
        classes = np.array([whole(code) for code in held.answers]) - taught.first_class
        is_taught = classes >= 0
        members = tuple(members_of(held, feature) for feature in taught.features)
        made = make_columns(taught.features, held, members)
        weights = held.n_rows * is_taught
        centres = tuple(_centre(column, weights) for column in made)
        matrix = _matrix(made, centres, held.size)
        regression = linear.LogisticRegression(
            C=1 / self.penalty, max_iter=10_000, tol=1e-6, solver="lbfgs"
        )
        fitted = regression.fit(
            matrix[is_taught], classes[is_taught], sample_weight=weights[is_taught]
        )
        return LogisticModel(
            target=taught.target, classes=taught.classes, traits=taught.traits, members=members,
            centres=centres, fitted=fitted,
        )  # fmt: skip


def _centre(column: Column, weights: Numbers) -> Centre:
    """Mean and deviation of numbers, the most frequent member of names: what is missing gets it."""
    if isinstance(column, Nominal):
        is_known = column.codes >= 0
        counts = np.bincount(column.codes[is_known], weights[is_known], len(column.shares))
        return int(np.round(counts @ column.shares, 9).argmax()) if len(column.shares) else 0
    middles = (column.lows + column.highs) / 2
    is_known = ~np.isnan(middles)
    total = weights[is_known].sum()
    if not total:
        return 0.0, 1.0
    mean = float((middles[is_known] * weights[is_known]).sum() / total)
    spread = float(((middles[is_known] - mean) ** 2 * weights[is_known]).sum() / total)
    return mean, spread**0.5 or 1.0


def _matrix(columns: Sequence[Column], centres: Sequence[Centre], n_rows: int) -> Numbers:
    """Rows as numbers: an interval as its middle, a set as the shares of its members."""
    parts: list[Numbers] = []
    for column, centre in zip(columns, centres, strict=True):
        if isinstance(column, Ordered):
            assert isinstance(centre, tuple)
            middles = (column.lows + column.highs) / 2
            parts.append(np.nan_to_num((middles - centre[0]) / centre[1])[:, None])
        elif column.members:
            shares = np.zeros((n_rows, len(column.members)))
            is_known = column.codes >= 0
            shares[is_known] = column.shares[column.codes[is_known]]
            assert isinstance(centre, int)
            shares[~is_known, centre] = 1.0
            parts.append(shares)
    return np.hstack(parts) if parts else np.zeros((n_rows, 1))
