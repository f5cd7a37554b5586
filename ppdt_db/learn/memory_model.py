"""The base class of models that predict from rows in `ppdt_reading`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.engine.base import Name
from ppdt_db.learn.dataset import DistinctRows
from ppdt_db.learn.feature_types import Feature, Trait, make_reading
from ppdt_db.learn.features import find_features
from ppdt_db.learn.trees.node import as_int
from ppdt_db.learn.trees.predict import Confusion
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import Source


@dataclass(frozen=True, kw_only=True)
class MemoryModel(ABC):
    """A model that knows its features by their traits."""

    target: str
    classes: tuple[str, ...]
    traits: tuple[Trait, ...]

    is_exact: ClassVar[bool] = False
    """True if it needs exact numbers where DOUBLEs cannot hold them."""

    @abstractmethod
    def predict_rows(
        self, engine: DuckEngine, features: Sequence[Feature], progress: Progress
    ) -> None:
        """Create `ppdt_prediction` (truth, prediction, n_rows) from the rows in `ppdt_reading`."""

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """Return the number of rows for each pair of actual and predicted class."""
        progress("predict", 0.0)
        features = self.find(engine, source)
        make_reading(engine, source, features, truth=truth, is_exact=self.is_exact)
        self.predict_rows(engine, features, progress)
        rows = engine.rows("learn/predict/confusion")
        engine.drop("ppdt_reading", "ppdt_prediction")
        return {
            (None if true is None else str(true), str(predicted)): as_int(n_rows)
            for true, predicted, n_rows in rows
        }

    def predict(
        self,
        engine: DuckEngine,
        source: Source,
        into: Name,
        column: str,
        progress: Progress = no_progress,
    ) -> None:
        """Create a table of the source with the prediction beside every row.

        Each distinct reading is classified once, under its number.
        """
        progress("predict", 0.0)
        features = self.find(engine, source)
        columns = list(source.columns)
        make_reading(engine, source, features, carried=columns, is_exact=self.is_exact)
        engine.rename("ppdt_reading", "ppdt_carried")
        names = {"features": features, "columns": columns, "prediction": column}
        engine.make("learn/predict/numbered", names=names, to="ppdt_reading")
        self.predict_rows(engine, features, progress)
        engine.make_table("learn/predict/predicted", into, names=names)
        engine.drop("ppdt_reading", "ppdt_carried", "ppdt_prediction")

    def find(self, engine: DuckEngine, source: Source) -> list[Feature]:
        """Return a source's features in the model's terms."""
        return find_features(engine, source, [trait.name for trait in self.traits], self.traits)


def make_predictions(engine: Engine, held: DistinctRows, labels: Iterable[str]) -> None:
    """Create `ppdt_prediction` from rows that were classified in memory."""
    taken: dict[tuple[object, str], int] = {}
    for true, label, n_rows in zip(held.answers, labels, held.n_rows.tolist(), strict=True):
        taken[true, label] = taken.get((true, label), 0) + round(n_rows)
    columns = {"truth": "VARCHAR", "prediction": "VARCHAR", "n_rows": "BIGINT"}
    rows = [(true, label, n_rows) for (true, label), n_rows in taken.items()]
    engine.load("ppdt_prediction", columns, rows)
