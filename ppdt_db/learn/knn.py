"""The nearest neighbours, in the database, in batches of the rows that are asked of."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.grown import whole
from ppdt_db.learn.known import Known
from ppdt_db.learn.lesson import Columns
from ppdt_db.learn.reading import Feature
from ppdt_db.learn.taught import teach
from ppdt_db.methods.contract import Progress
from ppdt_db.names import ident
from ppdt_db.source import Source

PAIRS_OF_BATCH = 60_000_000
N_PARTS = 16
_numbers = count()


@dataclass(frozen=True, kw_only=True)
class KNNModel(Known):
    """The rows that were learnt, in a temporary table of the connection they were learnt on."""

    first_class: int
    k: int
    known: str
    n_known: int
    lowest: tuple[float, ...]
    widths: tuple[float, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """What must stand in the connection as long as the model is asked."""
        return (self.known,)

    @property
    def size(self) -> int:
        """How many distinct rows it keeps."""
        return self.n_known

    def tell(self, engine: Engine, features: Sequence[Feature], progress: Progress) -> None:
        """Make `ppdt_told` of `ppdt_reading`, in batches of the rows that are asked of."""
        self._check(engine)
        names: dict[str, object] = {"features": features, "answer": "truth", "known": self.known}
        engine.make("knn/combination", {}, names, to="ppdt_asked_row")
        sets = self._forms(engine, features)
        names = {**names, "sets": sets, "k": self.k}
        scale = {"lowest": list(self.lowest), "widths": list(self.widths)}
        for table, place, answer, sign in (
            (self.known, "ppdt_known_place", "target", -1),
            ("ppdt_asked_row", "ppdt_asked_place", "truth", 0),
        ):
            of_table = {**names, "table": table, "answer": answer, "missing_sign": sign}
            engine.make("knn/placed", scale, of_table, to=place)
        self._vote(engine, names, progress)
        engine.make("knn/told", {"labels": list(self.classes), "first_class": self.first_class})
        nominal = [f.position for f in features if f.kind == "nominal"]
        engine.drop(
            "ppdt_asked_row", "ppdt_asked_place", "ppdt_known_place", "ppdt_vote",
            *(f"ppdt_form_{place}" for place in nominal),
            *(f"ppdt_mismatch_{place}" for place in sets),
        )  # fmt: skip

    def _check(self, engine: Engine) -> None:
        tables = {str(row[2]) for row in engine.rows("engine/tables") if row[0] == "temp"}
        if self.known not in tables:
            raise RequestError(
                "the neighbours stand in the connection that they were learnt on. Ask there, or "
                "learn them again on this one."
            )

    def as_json(self) -> str:
        """The model is the rows themselves, and those are not written down."""
        raise RequestError(
            "nearest neighbours are the rows that they were learnt from: they cannot be stored "
            "apart from them. Predict on the connection that they were learnt on."
        )

    def _forms(self, engine: Engine, features: Sequence[Feature]) -> list[int]:
        """Codes of the sets of nominal features; returns which of them have real sets."""
        sets = []
        for feature in features:
            if feature.kind == "ordered":
                continue
            names = {"feature": feature, "known": self.known}
            engine.make("knn/form", names=names, to=f"ppdt_form_{feature.position}")
            if engine.count("knn/widest", names=names) > 1:
                sets.append(feature.position)
                engine.make("knn/mismatch", names=names, to=f"ppdt_mismatch_{feature.position}")
        return sets

    def _vote(self, engine: Engine, names: dict[str, object], progress: Progress) -> None:
        n_asked = engine.count("encode/size", names={"source": ident("ppdt_asked_place")})
        step = max(1, PAIRS_OF_BATCH // max(self.n_known, 1))
        n_parts = N_PARTS if self.n_known >= 4 * N_PARTS * self.k else 1
        for first in range(0, max(n_asked, 1), step):
            progress("predict", first / max(n_asked, 1))
            rows = {"first_row": first, "last_row": min(first + step, n_asked) - 1}
            engine.make("knn/bound", {**rows, "n_parts": n_parts}, names)
            engine.make("knn/pair", rows, names)
            if first:
                engine.append("knn/vote", "ppdt_vote", {"k": self.k})
            else:
                engine.make("knn/vote", {"k": self.k})
            engine.drop("ppdt_bound", "ppdt_pair")


@dataclass(frozen=True, kw_only=True)
class KNN:
    """The k nearest neighbours, as Weka's IBk finds them.

    All rows as far as the k-th vote, each with one vote; of classes with equal votes the first.

    >>> KNN(k=0).faults
    ['k=0: take at least 1 neighbour, and at most 10,000.']
    """

    k: int = 5

    @property
    def faults(self) -> list[str]:
        """What is wrong with the parameters."""
        if 1 <= self.k <= 10_000:
            return []
        return [f"k={self.k}: take at least 1 neighbour, and at most 10,000."]

    def fit(self, engine: Engine, source: Source, columns: Columns) -> KNNModel:
        """Keep the rows, inside the engine's database."""
        if self.faults:
            raise RequestError(*self.faults)
        known = f"ppdt_known_{next(_numbers)}"
        with engine.transaction():
            taught = teach(engine, source, columns)
            ordered = [feature for feature in taught.features if feature.kind == "ordered"]
            names = {"features": ordered}
            scales = engine.rows("knn/scale", names=names) if ordered else []
            params = {"first_class": taught.first_class}
            of_rows: dict[str, object] = {"features": taught.features, "answer": "target"}
            engine.make("knn/combination", params, of_rows, to=known)
            engine.drop("ppdt_reading")
            n_known = engine.count("encode/size", names={"source": ident(known)})
        lowest, widths = [0.0] * len(taught.features), [0.0] * len(taught.features)
        for attribute_id, least, width in scales:
            if isinstance(least, float) and isinstance(width, float):
                lowest[whole(attribute_id)], widths[whole(attribute_id)] = least, width
        return KNNModel(
            target=taught.target, classes=taught.classes, traits=taught.traits,
            first_class=taught.first_class, k=self.k, known=known, n_known=n_known,
            lowest=tuple(lowest), widths=tuple(widths),
        )  # fmt: skip
