"""The naive Bayes model: its values, its formats, and its predictions in the database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from operator import attrgetter

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.feature_types import Feature
from ppdt_db.learn.memory_model import MemoryModel
from ppdt_db.progress import Progress

FORMAT = "ppdt bayes 1"
N_POINTS = 24
LOG_UNITS = 10**12


@dataclass(frozen=True, kw_only=True)
class Normal:
    """The normal curve of an ordered feature in one class."""

    attribute_id: int
    class_id: int
    mean: float
    deviation: float
    precision: float


@dataclass(frozen=True, kw_only=True)
class Chance:
    """The probability of a member in a class; `None` stands for members never seen."""

    attribute_id: int
    class_id: int
    member: str | None
    chance: float


@dataclass(frozen=True, kw_only=True)
class BayesModel(MemoryModel):
    """A naive Bayes model: for each class its share, its curves and its frequencies."""

    priors: tuple[float, ...]
    normals: tuple[Normal, ...]
    chances: tuple[Chance, ...]

    @property
    def size(self) -> int:
        """The number of its parameters."""
        return len(self.priors) + 2 * len(self.normals) + len(self.chances)

    def predict_rows(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Create `ppdt_prediction` from `ppdt_reading`, in the database."""
        engine.load("ppdt_normal", NORMAL, map(attrgetter(*NORMAL), self.normals))
        engine.load("ppdt_chance", CHANCE, map(attrgetter(*CHANCE), self.chances))
        nodes, weights = np.polynomial.legendre.leggauss(N_POINTS)
        points = list(zip(nodes.tolist(), weights.tolist(), strict=True))
        made = [f"ppdt_evidence_{feature.position}" for feature in features]
        for feature, table in zip(features, made, strict=True):
            progress("predict", feature.position / len(features))
            names = {"feature": feature, "points": points}
            engine.make(f"learn/bayes/of_{feature.kind}", names=names, to=table)
        priors = [
            {"place": place, "log": round(log(prior) * LOG_UNITS)}
            for place, prior in enumerate(self.priors, 1)
        ]
        names = {"features": features, "priors": priors}
        engine.make("learn/bayes/prediction", {"labels": list(self.classes)}, names)
        engine.drop("ppdt_normal", "ppdt_chance", *made)

    # -- written down ----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, object]:
        """Return the model in plain lists and dictionaries."""
        return {
            "format": FORMAT,
            "target": self.target,
            "classes": [
                {"name": name, "share": share}
                for name, share in zip(self.classes, self.priors, strict=True)
            ],
            "features": [self._feature(place) for place in range(len(self.traits))],
        }

    def as_json(self) -> str:
        """Return the model as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def as_text(self) -> str:
        """Return the model as tables, one for each feature."""
        lines = [f"{self.target}: " + ", ".join(
            f"{name} {share:.4f}" for name, share in zip(self.classes, self.priors, strict=True)
        )]  # fmt: skip
        for place, trait in enumerate(self.traits):
            lines += ["", trait.name]
            start = f"{trait.origin} + " if trait.origin else ""
            for normal in self.normals:
                if normal.attribute_id == place:
                    lines.append(
                        f"    {self.classes[normal.class_id]}: mean {start}{normal.mean:.6g}, "
                        f"deviation {normal.deviation:.6g}"
                    )
            for member, shares in self._shares(place).items():
                shown = "any other" if member is None else member
                lines.append(f"    {shown}: " + ", ".join(f"{share:.4f}" for share in shares))
        return "\n".join(lines)

    def as_sql(self) -> str:
        """Raise: naive Bayes has no readable expression for one row."""
        raise RequestError(
            "naive Bayes cannot be written as one SQL expression. Use --text or --json."
        )

    def _shares(self, place: int) -> dict[str | None, list[float]]:
        found: dict[str | None, list[float]] = {}
        for chance in self.chances:
            if chance.attribute_id == place:
                found.setdefault(chance.member, []).append(chance.chance)
        return found

    def _feature(self, place: int) -> dict[str, object]:
        trait = self.traits[place]
        entry: dict[str, object] = {"name": trait.name, "type": trait.type_name, **trait.start}
        if trait.kind == "ordered":
            entry["curves"] = [
                {"mean": n.mean, "deviation": n.deviation, "precision": n.precision}
                for n in self.normals
                if n.attribute_id == place
            ]
        else:
            shares = self._shares(place)
            entry["unseen"] = shares.pop(None, [])
            entry["chances"] = shares
        return entry


# One row for each feature and class; and for each member that a class may show, NULL for unseen.
NORMAL = {
    "attribute_id": "INTEGER", "class_id": "INTEGER", "mean": "DOUBLE", "deviation": "DOUBLE",
    "precision": "DOUBLE",
}  # fmt: skip
CHANCE = {
    "attribute_id": "INTEGER", "class_id": "INTEGER", "member": "VARCHAR", "chance": "DOUBLE",
}  # fmt: skip
