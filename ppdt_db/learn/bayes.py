"""Naive Bayes in the database: normal curves of numbers, corrected frequencies of names."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.grown import whole
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.reading import Trait
from ppdt_db.learn.taught import Taught, ask, teach
from ppdt_db.source import Source

N_POINTS = 24
LOG_UNITS = 10**12
WEIGHT_UNITS = 10**9


@dataclass(frozen=True, kw_only=True)
class Normal:
    """The curve of an ordered feature in one class."""

    attribute_id: int
    class_id: int
    mean: float
    deviation: float
    precision: float


@dataclass(frozen=True, kw_only=True)
class Chance:
    """How likely a class shows a member; of `None`, one that was never seen."""

    attribute_id: int
    class_id: int
    member: str | None
    chance: float


@dataclass(frozen=True, kw_only=True)
class BayesModel:
    """What naive Bayes knows: for each class its share, its curves and its frequencies."""

    target: str
    classes: tuple[str, ...]
    traits: tuple[Trait, ...]
    priors: tuple[float, ...]
    normals: tuple[Normal, ...]
    chances: tuple[Chance, ...]

    @property
    def size(self) -> int:
        """How many numbers it keeps."""
        return len(self.priors) + 2 * len(self.normals) + len(self.chances)

    def confusion(self, engine: DuckEngine, source: Source, truth: str) -> Confusion:
        """How often which class was taken for which."""
        features = ask(engine, source, self.traits, truth)
        engine.make("bayes/normal", _columns(self.normals, NORMAL_COLUMNS))
        engine.make("bayes/chance", _columns(self.chances, CHANCE_COLUMNS))
        nodes, weights = np.polynomial.legendre.leggauss(N_POINTS)
        points = list(zip(nodes.tolist(), weights.tolist(), strict=True))
        made = [f"ppdt_evidence_{feature.position}" for feature in features]
        for feature, table in zip(features, made, strict=True):
            names = {"feature": feature, "points": points}
            engine.make(f"bayes/of_{feature.kind}", names=names, to=table)
        priors = [
            {"place": place, "log": round(log(prior) * LOG_UNITS)}
            for place, prior in enumerate(self.priors, 1)
        ]
        rows = engine.rows(
            "bayes/confusion",
            {"labels": list(self.classes)},
            {"features": features, "priors": priors},
        )
        engine.drop("ppdt_reading", "ppdt_normal", "ppdt_chance", *made)
        return {
            (None if true is None else str(true), str(predicted)): whole(n_rows)
            for true, predicted, n_rows in rows
        }

    # -- written down ----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, object]:
        """Everything, for JSON."""
        return {
            "format": "ppdt bayes 1",
            "target": self.target,
            "classes": [
                {"name": name, "share": share}
                for name, share in zip(self.classes, self.priors, strict=True)
            ],
            "features": [self._feature(place) for place in range(len(self.traits))],
        }

    def as_json(self) -> str:
        """The model as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1)

    def as_text(self) -> str:
        """The model as tables, one for each feature."""
        lines = [f"{self.target}: " + ", ".join(
            f"{name} {share:.4f}" for name, share in zip(self.classes, self.priors, strict=True)
        )]  # fmt: skip
        for place, trait in enumerate(self.traits):
            lines += ["", trait.name]
            for normal in self.normals:
                if normal.attribute_id == place:
                    lines.append(
                        f"    {self.classes[normal.class_id]}: mean {normal.mean:.6g}, "
                        f"deviation {normal.deviation:.6g}"
                    )
            for member, shares in self._shares(place).items():
                shown = "any other" if member is None else member
                lines.append(f"    {shown}: " + ", ".join(f"{share:.4f}" for share in shares))
        return "\n".join(lines)

    def as_sql(self) -> str:
        """Naive Bayes has no expression of one row that is worth reading."""
        raise RequestError(
            "naive Bayes cannot be written as one SQL expression. Take --text or --json."
        )

    def _shares(self, place: int) -> dict[str | None, list[float]]:
        found: dict[str | None, list[float]] = {}
        for chance in self.chances:
            if chance.attribute_id == place:
                found.setdefault(chance.member, []).append(chance.chance)
        return found

    def _feature(self, place: int) -> dict[str, object]:
        trait = self.traits[place]
        told: dict[str, object] = {"name": trait.name, "type": trait.type_name}
        if trait.kind == "ordered":
            told["curves"] = [
                {"mean": n.mean, "deviation": n.deviation, "precision": n.precision}
                for n in self.normals
                if n.attribute_id == place
            ]
        else:
            shares = self._shares(place)
            told["unseen"] = shares.pop(None, [])
            told["chances"] = shares
        return told


NORMAL_COLUMNS = {
    "attribute_ids": "attribute_id", "class_ids": "class_id", "means": "mean",
    "deviations": "deviation", "precisions": "precision",
}  # fmt: skip
CHANCE_COLUMNS = {
    "attribute_ids": "attribute_id", "class_ids": "class_id", "members": "member",
    "chances": "chance",
}  # fmt: skip


def _columns(rows: Sequence[object], columns: Mapping[str, str]) -> dict[str, object]:
    return {name: [getattr(row, field) for row in rows] for name, field in columns.items()}


@dataclass(frozen=True, kw_only=True)
class NaiveBayes:
    """Naive Bayes, as Weka does it.

    >>> NaiveBayes().faults
    []
    """

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        return []

    def fit(self, engine: DuckEngine, source: Source, columns: Columns) -> BayesModel:
        """Learn, inside the engine's database."""
        with engine.transaction():
            taught = teach(engine, source, columns)
            params = {"first_class": taught.first_class}
            sizes = {row[0]: row[1] for row in engine.rows("bayes/class", params)}
            n_classes = len(taught.classes)
            counts = [whole(sizes[class_id]) for class_id in range(n_classes)]
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


def _normals(
    engine: DuckEngine, taught: Taught, params: Mapping[str, object]
) -> tuple[Normal, ...]:
    """Means and spreads; a spread is at least a sixth of a step."""
    features = [feature for feature in taught.features if feature.kind == "ordered"]
    rows = engine.rows("bayes/moment", params, {"features": features}) if features else []
    precisions: dict[int, float] = {}
    known: dict[tuple[int, int], tuple[float, float]] = {}
    for attribute_id, class_id, step, base, *sums in rows:
        assert isinstance(step, float) and isinstance(base, float)
        n_rows, places, squares, widths = map(whole, sums)
        precisions[whole(attribute_id)] = step
        mean = (base + places / n_rows) * step
        # Exact up to the one division: n times the squares, less the square of the sum.
        spread = (12 * (n_rows * squares - places * places) + n_rows * widths) / (12 * n_rows**2)
        known[whole(attribute_id), whole(class_id)] = mean, sqrt(spread) * step
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


def _chances(
    engine: DuckEngine, taught: Taught, params: Mapping[str, object]
) -> tuple[Chance, ...]:
    """Laplace's correction: every member that the table has counts once more in each class."""
    features = [feature for feature in taught.features if feature.kind == "nominal"]
    rows = engine.rows("bayes/member", params, {"features": features}) if features else []
    weights = {
        (whole(attribute_id), whole(class_id), str(member)): whole(weight)
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
