"""What the learners that read releases have learnt: it is asked of rows in `ppdt_reading`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ppdt_db.engine import DuckEngine, Engine
from ppdt_db.engine.contract import Name
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.features import find_features
from ppdt_db.learn.grown import whole
from ppdt_db.learn.reading import Feature, Trait, make_reading
from ppdt_db.learn.taught import Held
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.source import Source


@dataclass(frozen=True, kw_only=True)
class Known(ABC):
    """A model that knows its features by their traits."""

    target: str
    classes: tuple[str, ...]
    traits: tuple[Trait, ...]

    is_exact: ClassVar[bool] = False
    """Whether it asks for numbers as they are, where DOUBLEs cannot hold them."""

    @abstractmethod
    def tell(self, engine: DuckEngine, features: Sequence[Feature], progress: Progress) -> None:
        """Make `ppdt_told` (truth, prediction, n_rows) of the rows in `ppdt_reading`."""

    def confusion(
        self, engine: DuckEngine, source: Source, truth: str, progress: Progress = no_progress
    ) -> Confusion:
        """How often which class was taken for which."""
        progress("predict", 0.0)
        features = self.find(engine, source)
        make_reading(engine, source, features, truth=truth, is_exact=self.is_exact)
        self.tell(engine, features, progress)
        rows = engine.rows("held/confusion")
        engine.drop("ppdt_reading", "ppdt_told")
        return {
            (None if true is None else str(true), str(predicted)): whole(n_rows)
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
        """Make a table of the source with the prediction beside every row.

        Each distinct reading is asked once, under its number.
        """
        progress("predict", 0.0)
        features = self.find(engine, source)
        columns = list(source.columns)
        make_reading(engine, source, features, carried=columns, is_exact=self.is_exact)
        engine.rename("ppdt_reading", "ppdt_carried")
        names = {"features": features, "columns": columns, "prediction": column}
        engine.make("held/numbered", names=names, to="ppdt_reading")
        self.tell(engine, features, progress)
        engine.make_table("held/predicted", into, names=names)
        engine.drop("ppdt_reading", "ppdt_carried", "ppdt_told")

    def find(self, engine: DuckEngine, source: Source) -> list[Feature]:
        """A source's features in the model's terms."""
        return find_features(engine, source, [trait.name for trait in self.traits], self.traits)


def make_told(engine: Engine, held: Held, labels: Iterable[str]) -> None:
    """Make `ppdt_told` of rows that were classified in memory."""
    taken: dict[tuple[object, str], int] = {}
    for true, label, n_rows in zip(held.answers, labels, held.n_rows.tolist(), strict=True):
        taken[true, label] = taken.get((true, label), 0) + round(n_rows)
    params = {
        "truths": [true for true, _ in taken],
        "predictions": [label for _, label in taken],
        "n_rows": list(taken.values()),
    }
    engine.make("held/told", params)
