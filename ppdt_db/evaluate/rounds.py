"""The rounds of an evaluation: deal a table to folds, and learn and test on its parts."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.learners import AnyLearner, readings, test_reading
from ppdt_db.evaluate.perturb import Privacy, mapped, released
from ppdt_db.evaluate.plan import EvaluationPlan
from ppdt_db.evaluate.result import Fold
from ppdt_db.learn.api import fit
from ppdt_db.learn.trees.predict import Confusion
from ppdt_db.learn.trees.training_set import Columns
from ppdt_db.progress import Progress, no_progress
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import Family, display_type, family_of
from ppdt_db.sqltext.quoting import by_normal_name, did_you_mean, ident, normalize_name

TRAIN, TEST = "ppdt_train", "ppdt_test"
# Families of types whose values can be equal.
ALIKE: tuple[frozenset[Family], ...] = (
    frozenset({"integer", "huge", "decimal", "float"}),
    frozenset({"date", "timestamp", "timestamptz"}),
    frozenset({"text", "enum"}),
)


@dataclass(frozen=True, kw_only=True)
class RoundData:
    """The data to learn from and to test on in a round, and the information loss of the release."""

    train: Source
    test: Source
    gcp: float | None


class Rounds:
    """The rounds over one table."""

    def __init__(
        self,
        engine: DuckEngine,
        source: Source,
        columns: Columns,
        extra: Sequence[str],
        seed: int,
        *,
        has_number: bool = False,
    ) -> None:
        self.engine = engine
        self.source = source
        self.columns = columns
        self.seed = seed
        by_fold = by_normal_name(source.columns)
        needed = [*extra, columns.target, *columns.features]
        self.kept = list(
            dict.fromkeys(
                by_fold[normalize_name(c)] for c in needed if normalize_name(c) in by_fold
            )
        )
        self.number = _free_name(source) if has_number else None
        self.held_out: Source | None = None

    def deal(self, plan: EvaluationPlan, *, stratified: bool) -> None:
        """Deal the rows to folds."""
        key = hashlib.sha256(f"ppdt seed {self.seed}".encode()).hexdigest()
        names = {
            "source": self.source.relation,
            "columns": {name: self.source.columns[name] for name in self.kept},
            "target": self.columns.target,
            "stratified": stratified,
            "repeats": list(range(plan.n_repeats)),
            "n_folds": plan.n_folds,
        }
        self.engine.make("tools/evaluate/shuffled", {"run_key": key}, names)

    def hold_out(self, test: Source, *, with_all: bool) -> None:
        """Use another table to test on; it must have the required columns."""
        wanted = self.kept if with_all else [*self.columns.features, self.columns.target]
        pairs = match(self.source, test, wanted)
        names = {"source": test.relation, "pairs": pairs, "target": self.columns.target}
        self.engine.make("tools/evaluate/held_out", names=names, to=TEST)
        columns = {name: test.columns[own] for name, own in pairs.items()}
        self.held_out = Source(kind="table", title=TEST, relation=ident(TEST), columns=columns)
        if not self.engine.count("encode/size", names={"source": self.held_out.relation}):
            raise RequestError("the table to test on has no row with a class.")

    def part(self, repeat: int, fold: int) -> None:
        """Create the tables to learn from and to test on."""
        if self.held_out is not None:
            # All rows were dealt to one fold, and none to the fold that is tested.
            fold = 1
        for table, is_test in ((TRAIN, False), (TEST, True)):
            if is_test and self.held_out is not None:
                continue
            number = None if is_test else self.number
            names = {"columns": self.kept, "repeat": repeat, "number": number}
            self.engine.make(
                "tools/evaluate/part", {"fold": fold, "is_test": is_test}, names, to=table
            )

    def round(
        self,
        repeat: int,
        fold: int,
        learner: AnyLearner,
        privacy: Privacy | None,
        progress: Progress = no_progress,
    ) -> Fold:
        """Learn and test once."""
        with self.shown(learner, privacy) as shown:
            return self.learn_and_test(repeat, fold, learner, shown, progress)

    @contextmanager
    def shown(self, learner: AnyLearner, privacy: Privacy | None) -> Iterator[RoundData]:
        """Yield both parts as this learner, and others with the same reading, see them."""
        protocol = privacy.protocol if privacy else "OO"
        target, gcps = self.columns.target, []
        with ExitStack() as stack:
            train, test = self._as_source(TRAIN), self.held_out or self._as_source(TEST)
            if privacy is not None and protocol[0] == "P":
                reading = privacy.reading or readings(learner)[0]
                part = train
                train, gcp = stack.enter_context(
                    released(self.engine, part, privacy, reading, target, self.seed)
                )
                gcps.append(gcp)
                if privacy.maps_tests and self.number is not None:
                    test = self.recoded(test, privacy, train)
            if privacy is not None and protocol[1] == "P":
                reading = test_reading(learner)
                test, gcp = stack.enter_context(
                    released(self.engine, test, privacy, reading, target, self.seed)
                )
                gcps.append(gcp)
            yield RoundData(train=train, test=test, gcp=gcps[0] if gcps else None)

    def learn_and_test(
        self,
        repeat: int,
        fold: int,
        learner: AnyLearner,
        shown: RoundData,
        progress: Progress = no_progress,
    ) -> Fold:
        """Learn from the data shown, and test."""
        model = fit(self.engine, shown.train, self.columns, learner)
        confusion = model.confusion(self.engine, shown.test, self.columns.target, progress)
        return Fold(
            repeat=repeat,
            fold=fold,
            n_rows=sum(confusion.values()),
            n_right=_right(confusion),
            size=model.size,
            gcp=shown.gcp,
        )

    @property
    def training_part(self) -> Source:
        """The rows to learn from in the current round."""
        return self._as_source(TRAIN)

    def recoded(self, rows: Source, privacy: Privacy, release: Source) -> Source:
        """Return any rows as the global recoding of a release of the training part shows them."""
        assert self.number is not None
        part = self._as_source(TRAIN)
        return mapped(
            self.engine, rows, part, release, self._mapped_names(privacy), self.number
        )  # fmt: skip

    def _as_source(self, table: str) -> Source:
        columns = {name: self.source.columns[name] for name in self.kept}
        if table == TRAIN and self.number is not None:
            columns[self.number] = "BIGINT"
        return Source(kind="table", title=table, relation=ident(table), columns=columns)

    def _mapped_names(self, privacy: Privacy) -> list[str]:
        quasi = {normalize_name(attribute.name) for attribute in privacy.attributes}
        return [name for name in self.columns.features if normalize_name(name) in quasi]


def match(source: Source, test: Source, wanted: Sequence[str]) -> dict[str, str]:
    """Return the test table's names of the columns required; raise one error with every fault."""
    by_fold = by_normal_name(test.columns)
    found: dict[str, str] = {}
    faults: list[str] = []
    for name in dict.fromkeys(wanted):
        own = by_fold.get(normalize_name(name))
        if own is None:
            near = did_you_mean(name, test.columns)
            faults.append(f'"{name}": missing from the table to test on. Add it.{near}')
        elif not _are_comparable(source.columns[name], test.columns[own]):
            faults.append(
                f'"{name}": of type {display_type(source.columns[name])} in the table to learn '
                f"from, but of type {display_type(test.columns[own])} in the table to test on. "
                "Cast one of them."
            )
        else:
            found[name] = own
    if faults:
        raise RequestError(*faults)
    return found


def _are_comparable(one: str, other: str) -> bool:
    """Return whether values of two types can be equal."""
    families = {family_of(one), family_of(other)}
    return one == other or len(families) == 1 or any(families <= kin for kin in ALIKE)


def _free_name(source: Source) -> str:
    """Return a column name for the row number that the source does not use."""
    name = "row_number"
    while normalize_name(name) in {normalize_name(column) for column in source.columns}:
        name += "_"
    return name


def _right(taken: Confusion) -> int:
    return sum(n_rows for (truth, predicted), n_rows in taken.items() if truth == predicted)
