"""Naive Bayes in the database: normal curves for numbers, corrected frequencies for names."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from ppdt_db.engine import Engine
from ppdt_db.learn.bayes_model import BayesModel, Chance, Normal
from ppdt_db.learn.dataset import Dataset, load_dataset
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.source.source import Source

WEIGHT_UNITS = 10**9


@dataclass(frozen=True, kw_only=True)
class NaiveBayes:
    """Naive Bayes, as Weka has it.

    >>> NaiveBayes().faults
    []
    """

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        return []

    def fit(self, engine: Engine, source: Source, columns: Columns) -> BayesModel:
        """Learn inside the engine's database."""
        with engine.transaction():
            taught = load_dataset(engine, source, columns)
            params = {"first_class": taught.first_class}
            sizes = {row[0]: row[1] for row in engine.rows("learn/bayes/class", params)}
            n_classes = len(taught.classes)
            counts = [as_int(sizes[class_id]) for class_id in range(n_classes)]
            normals = _normals(engine, taught, params)
            chances = _chances(engine, taught, params)
            engine.drop("ppdt_reading")
        return BayesModel(
            target=taught.target,
            classes=taught.classes,
            traits=taught.traits,
            priors=tuple((count + 1) / (sum(counts) + n_classes) for count in counts),
            normals=normals,
            chances=chances,
        )


def _normals(engine: Engine, taught: Dataset, params: Mapping[str, object]) -> tuple[Normal, ...]:
    """Return means and deviations; a deviation is at least a sixth of a step."""
    features = [feature for feature in taught.features if feature.kind == "ordered"]
    rows = engine.rows("learn/bayes/moment", params, {"features": features}) if features else []
    precisions: dict[int, float] = {}
    known: dict[tuple[int, int], tuple[float, float]] = {}
    for attribute_id, class_id, step, base, *sums in rows:
        assert isinstance(step, float) and isinstance(base, float)
        n_rows, places, squares, widths = map(as_int, sums)
        precisions[as_int(attribute_id)] = step
        mean = (base + places / n_rows) * step
        # Exact up to the one division: n times the sum of squares, minus the square of the sum.
        spread = (12 * (n_rows * squares - places * places) + n_rows * widths) / (12 * n_rows**2)
        known[as_int(attribute_id), as_int(class_id)] = mean, sqrt(spread) * step
    normals = []
    for feature in features:
        step = precisions.get(feature.position)
        if step is None:
            continue
        for class_id in range(len(taught.classes)):
            mean, deviation = known.get((feature.position, class_id), (0.0, 0.0))
            normals.append(
                Normal(
                    attribute_id=feature.position, class_id=class_id, mean=mean,
                    deviation=max(deviation, step / 6), precision=step,
                )
            )  # fmt: skip
    return tuple(normals)


def _chances(engine: Engine, taught: Dataset, params: Mapping[str, object]) -> tuple[Chance, ...]:
    """Return Laplace-corrected frequencies: every member counts once more in each class."""
    features = [feature for feature in taught.features if feature.kind == "nominal"]
    rows = engine.rows("learn/bayes/member", params, {"features": features}) if features else []
    weights = {
        (as_int(attribute_id), as_int(class_id), str(member)): as_int(weight)
        for attribute_id, class_id, member, weight in rows
    }
    members: dict[int, list[str]] = {
        feature.position: sorted({m for a, _, m in weights if a == feature.position})
        for feature in features
    }
    totals: dict[tuple[int, int], int] = {}
    for (attribute_id, class_id, _), weight in weights.items():
        key = attribute_id, class_id
        totals[key] = totals.get(key, 0) + weight
    return tuple(
        Chance(
            attribute_id=place, class_id=class_id, member=member,
            chance=(weights.get((place, class_id, member or ""), 0) * (member is not None)
                    + WEIGHT_UNITS)
            / (totals.get((place, class_id), 0) + max(len(known), 1) * WEIGHT_UNITS),
        )
        for place, known in members.items()
        if known
        for member in (*known, None)
        for class_id in range(len(taught.classes))
    )  # fmt: skip
