"""The nearest neighbours in the database, in batches of the rows to classify."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.dataset import load_dataset
from ppdt_db.learn.feature_types import Feature
from ppdt_db.learn.memory_model import MemoryModel
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import Progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import ident

PAIRS_OF_BATCH = 60_000_000
N_PARTS = 16
_numbers = count()


@dataclass(frozen=True, kw_only=True)
class KNNModel(MemoryModel):
    """The training rows, in a temporary table of the connection on which they were learnt."""

    first_class: int
    k: int
    known: str
    n_known: int
    lowest: tuple[float, ...]
    widths: tuple[float, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that must exist in the connection while the model is used."""
        return (self.known,)

    @property
    def size(self) -> int:
        """The number of distinct training rows."""
        return self.n_known

    def predict_rows(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Create `ppdt_prediction` from `ppdt_reading`, in batches of the rows to classify."""
        self._check(engine)
        names: dict[str, object] = {"features": features, "answer": "truth", "known": self.known}
        engine.make("learn/knn/combination", {}, names, to="ppdt_asked_row")
        sets = self._make_set_codes(engine, features)
        names = {**names, "sets": sets, "k": self.k}
        scale = {"lowest": list(self.lowest), "widths": list(self.widths)}
        for table, place, answer, sign in (
            (self.known, "ppdt_known_place", "target", -1),
            ("ppdt_asked_row", "ppdt_asked_place", "truth", 0),
        ):
            of_table = {**names, "table": table, "answer": answer, "missing_sign": sign}
            engine.make("learn/knn/placed", scale, of_table, to=place)
        self._vote(engine, names, progress)
        engine.make(
            "learn/knn/prediction", {"labels": list(self.classes), "first_class": self.first_class}
        )
        nominal = [f.position for f in features if f.kind == "nominal"]
        engine.drop(
            "ppdt_asked_row", "ppdt_asked_place", "ppdt_known_place", "ppdt_answer",
            *(f"ppdt_form_{place}" for place in nominal),
            *(f"ppdt_mismatch_{place}" for place in sets),
        )  # fmt: skip

    def _check(self, engine: Engine) -> None:
        tables = {str(row[2]) for row in engine.rows("lib/engine/tables") if row[0] == "temp"}
        if self.known not in tables:
            raise RequestError(
                "the model's rows are in a temporary table of the connection on which it was "
                "learnt. Predict on that connection, or learn it again on this one."
            )

    def as_json(self) -> str:
        """Raise: the model consists of the training rows, which are not written."""
        raise RequestError(
            "a nearest-neighbours model consists of its training rows and cannot be stored "
            "without them. Predict on the connection on which it was learnt."
        )

    def _make_set_codes(self, engine: Engine, features: Sequence[Feature]) -> list[int]:
        """Create codes of the sets of nominal features; return the features that have real sets."""
        sets = []
        for feature in features:
            if feature.kind == "ordered":
                continue
            names = {"feature": feature, "known": self.known}
            engine.make("learn/knn/form", names=names, to=f"ppdt_form_{feature.position}")
            if engine.count("learn/knn/widest", names=names) > 1:
                sets.append(feature.position)
                engine.make(
                    "learn/knn/mismatch", names=names, to=f"ppdt_mismatch_{feature.position}"
                )
        return sets

    def _vote(self, engine: Engine, names: dict[str, object], progress: Progress) -> None:
        n_asked = engine.count("encode/size", names={"source": ident("ppdt_asked_place")})
        step = max(1, PAIRS_OF_BATCH // max(self.n_known, 1))
        n_parts = N_PARTS if self.n_known >= 4 * N_PARTS * self.k else 1
        for first in range(0, max(n_asked, 1), step):
            progress("predict", first / max(n_asked, 1))
            rows = {"first_row": first, "last_row": min(first + step, n_asked) - 1}
            engine.make("learn/knn/k_distance", {**rows, "n_parts": n_parts}, names)
            engine.make("learn/knn/pair", rows, names)
            if first:
                engine.append("learn/knn/answer", "ppdt_answer", {"k": self.k})
            else:
                engine.make("learn/knn/answer", {"k": self.k})
            engine.drop("ppdt_k_distance", "ppdt_pair")


@dataclass(frozen=True, kw_only=True)
class KNN:
    """The k nearest neighbours, as Weka's IBk finds them.

    All rows no farther than the k-th vote, one vote each; of equal classes the first wins.

    >>> KNN(k=0).faults
    ['k=0: must be from 1 to 10,000 neighbours.']
    """

    k: int = 5

    @property
    def faults(self) -> list[str]:
        """The faults of the parameters."""
        if 1 <= self.k <= 10_000:
            return []
        return [f"k={self.k}: must be from 1 to 10,000 neighbours."]

    def fit(self, engine: Engine, source: Source, columns: Columns) -> KNNModel:
        """Keep the rows inside the engine's database."""
        if self.faults:
            raise RequestError(*self.faults)
        known = f"ppdt_known_{next(_numbers)}"
        with engine.transaction():
            taught = load_dataset(engine, source, columns)
            ordered = [feature for feature in taught.features if feature.kind == "ordered"]
            names = {"features": ordered}
            scales = engine.rows("learn/knn/scale", names=names) if ordered else []
            params = {"first_class": taught.first_class}
            of_rows: dict[str, object] = {"features": taught.features, "answer": "target"}
            engine.make("learn/knn/combination", params, of_rows, to=known)
            engine.drop("ppdt_reading")
            n_known = engine.count("encode/size", names={"source": ident(known)})
        lowest, widths = [0.0] * len(taught.features), [0.0] * len(taught.features)
        for attribute_id, least, width in scales:
            if isinstance(least, float) and isinstance(width, float):
                lowest[as_int(attribute_id)], widths[as_int(attribute_id)] = least, width
        return KNNModel(
            target=taught.target, classes=taught.classes, traits=taught.traits,
            first_class=taught.first_class, k=self.k, known=known, n_known=n_known,
            lowest=tuple(lowest), widths=tuple(widths),
        )  # fmt: skip
