"""Logistic regression by scikit-learn: standardized numbers, one column for each member."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.arrays import (
    Column,
    Condition,
    Nominal,
    Ordered,
    fractions,
    make_columns,
    members_of,
)  # fmt: skip
from ppdt_db.learn.dataset import Codes, Numbers, fetch_rows, load_dataset
from ppdt_db.learn.feature_types import Feature
from ppdt_db.learn.memory_model import MemoryModel, make_predictions
from ppdt_db.learn.sklearn_extra import one_thread, sklearn_module
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import Progress
from ppdt_db.source.source import Source

Centre = tuple[float, float] | int
ROWS_OF_BATCH = 20_000


@dataclass(frozen=True, kw_only=True)
class LogisticModel(MemoryModel):
    """The fitted coefficients, and the encoding of rows as numbers."""

    members: tuple[tuple[str, ...], ...]
    centres: tuple[Centre, ...]
    fitted: Any

    @property
    def size(self) -> int:
        """The number of coefficients."""
        return int(self.fitted.coef_.size + self.fitted.intercept_.size)

    def predict_rows(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Create `ppdt_prediction` from `ppdt_reading`, in memory."""
        held = fetch_rows(engine, features, "truth")
        columns = make_columns(features, held, self.members)
        labels: list[str] = []
        for first in range(0, held.size, ROWS_OF_BATCH):
            progress("predict", first / held.size)
            rows = np.arange(first, min(first + ROWS_OF_BATCH, held.size))
            scores = self.fitted.decision_function(_matrix(columns, self.centres, rows))
            if scores.ndim == 1:
                places = (np.round(scores, 12) > 0).astype(int)
            else:
                places = np.round(scores, 12).argmax(axis=1)
            labels += [self.classes[code] for code in self.fitted.classes_[places].tolist()]
        make_predictions(engine, held, labels)

    def as_json(self) -> str:
        """Raise: the model is an object of scikit-learn, which is not written."""
        raise RequestError(
            "logistic regression is held by scikit-learn in memory and cannot be stored. "
            "Predict with the model that `learn` returned."
        )


@dataclass(frozen=True, kw_only=True)
class Logistic:
    """Logistic regression with a slight ridge penalty; needs the extra `sklearn`.

    >>> Logistic(penalty=0.0).faults
    ['penalty=0.0: must be above 0.']
    """

    penalty: float = 1e-2

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        return [] if self.penalty > 0 else [f"penalty={self.penalty}: must be above 0."]

    def fit(self, engine: Engine, source: Source, columns: Columns) -> LogisticModel:
        """Learn from rows that are fetched into memory."""
        linear = sklearn_module("linear_model")
        with engine.transaction():
            taught = load_dataset(engine, source, columns)
            held = fetch_rows(engine, taught.features, "target")
            engine.drop("ppdt_reading")
        classes = np.array([as_int(code) for code in held.answers]) - taught.first_class
        is_taught = classes >= 0
        members = tuple(members_of(held, feature) for feature in taught.features)
        made = make_columns(taught.features, held, members)
        weights = held.n_rows * is_taught
        centres = tuple(_centre(column, weights) for column in made)
        matrix = _matrix(made, centres, np.arange(held.size))
        regression = linear.LogisticRegression(
            C=1 / self.penalty, max_iter=10_000, tol=1e-6, solver="lbfgs"
        )
        with one_thread():
            fitted = regression.fit(
                matrix[is_taught], classes[is_taught], sample_weight=weights[is_taught]
            )
        return LogisticModel(
            target=taught.target, classes=taught.classes, traits=taught.traits, members=members,
            centres=centres, fitted=fitted,
        )  # fmt: skip


def _centre(column: Column, weights: Numbers) -> Centre:
    """Return the mean and deviation of numbers, the mode of names: they replace missing values."""
    if isinstance(column, Nominal):
        is_known = column.codes >= 0
        counts = np.bincount(column.codes[is_known], weights[is_known], column.n_codes).astype(
            np.float64
        )
        members, found = column.by_member(np.arange(column.n_codes), counts[None, :])
        return int(members[np.round(found[0], 9).argmax()]) if len(members) else 0
    middles = (column.lows + column.highs) / 2
    is_known = ~np.isnan(middles)
    total = weights[is_known].sum()
    if not total:
        return 0.0, 1.0
    mean = float((middles[is_known] * weights[is_known]).sum() / total)
    spread = float(((middles[is_known] - mean) ** 2 * weights[is_known]).sum() / total)
    return mean, spread**0.5 or 1.0


def _matrix(columns: Sequence[Column], centres: Sequence[Centre], rows: Codes) -> Numbers:
    """Return rows as numbers: an interval by its middle, a set by the shares of its members."""
    parts: list[Numbers] = []
    for number, (column, centre) in enumerate(zip(columns, centres, strict=True)):
        if isinstance(column, Ordered):
            assert isinstance(centre, tuple)
            middles = (column.lows[rows] + column.highs[rows]) / 2
            parts.append(np.nan_to_num((middles - centre[0]) / centre[1])[:, None])
        else:
            for branch in range(len(column.members)):
                way = Condition(feature=number, branch=branch, share=float(branch == centre))
                parts.append(fractions(columns, way, rows)[:, None])
    return np.hstack(parts) if parts else np.zeros((len(rows), 1))
