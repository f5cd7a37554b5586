"""What naive Bayes has learnt: written down, and asked in the database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.known import Known
from ppdt_db.learn.reading import Feature
from ppdt_db.methods.contract import Progress

FORMAT = "ppdt bayes 1"
N_POINTS = 24
LOG_UNITS = 10**12


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
class BayesModel(Known):
    """What naive Bayes knows: for each class its share, its curves and its frequencies."""

    priors: tuple[float, ...]
    normals: tuple[Normal, ...]
    chances: tuple[Chance, ...]

    @property
    def size(self) -> int:
        """How many numbers it keeps."""
        return len(self.priors) + 2 * len(self.normals) + len(self.chances)

    def tell(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Make `ppdt_told` of `ppdt_reading`, in the database."""
        engine.make("bayes/normal", _columns(self.normals, NORMAL_COLUMNS))
        engine.make("bayes/chance", _columns(self.chances, CHANCE_COLUMNS))
        nodes, weights = np.polynomial.legendre.leggauss(N_POINTS)
        points = list(zip(nodes.tolist(), weights.tolist(), strict=True))
        made = [f"ppdt_evidence_{feature.position}" for feature in features]
        for feature, table in zip(features, made, strict=True):
            progress("predict", feature.position / len(features))
            names = {"feature": feature, "points": points}
            engine.make(f"bayes/of_{feature.kind}", names=names, to=table)
        priors = [
            {"place": place, "log": round(log(prior) * LOG_UNITS)}
            for place, prior in enumerate(self.priors, 1)
        ]
        names = {"features": features, "priors": priors}
        engine.make("bayes/told", {"labels": list(self.classes)}, names)
        engine.drop("ppdt_normal", "ppdt_chance", *made)

    # -- written down ----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, object]:
        """Everything, for JSON."""
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
        """The model as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1, allow_nan=False)

    def as_text(self) -> str:
        """The model as tables, one for each feature."""
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
        told: dict[str, object] = {"name": trait.name, "type": trait.type_name, **trait.start}
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
