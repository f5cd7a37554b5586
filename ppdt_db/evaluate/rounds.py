"""The rounds of an evaluation: the dealt table, the two parts of the round at hand."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.learners import Any, readings, test_reading
from ppdt_db.evaluate.perturb import Privacy, mapped, released
from ppdt_db.evaluate.plan import Plan
from ppdt_db.evaluate.result import Fold
from ppdt_db.families import Family, family_of, told
from ppdt_db.learn.api import fit
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.lesson import Columns
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold, ident, nearest
from ppdt_db.source import Source

TRAIN, TEST = "ppdt_train", "ppdt_test"
# Families whose values can be the same.
ALIKE: tuple[frozenset[Family], ...] = (
    frozenset({"integer", "huge", "decimal", "float"}),
    frozenset({"date", "timestamp", "timestamptz"}),
    frozenset({"text", "enum"}),
)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What is learnt from and tested on in a round, and the information that a release lost."""

    train: Source
    test: Source
    gcp: float | None


class Rounds:
    """Deals a table, and learns and tests as often as it is told to."""

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
        by_fold = {fold(name): name for name in source.columns}
        asked = [*extra, columns.target, *columns.features]
        self.kept = list(dict.fromkeys(by_fold[fold(c)] for c in asked if fold(c) in by_fold))
        self.number = _free_name(source) if has_number else None
        self.held_out: Source | None = None

    def deal(self, plan: Plan, *, stratified: bool) -> None:
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
        self.engine.make("evaluate/shuffled", {"run_key": key}, names)

    def hold_out(self, test: Source, *, with_all: bool) -> None:
        """Take a table of its own to test on; it must have the columns that are asked for."""
        wanted = self.kept if with_all else [*self.columns.features, self.columns.target]
        pairs = match(self.source, test, wanted)
        names = {"source": test.relation, "pairs": pairs, "target": self.columns.target}
        self.engine.make("evaluate/held_out", names=names, to=TEST)
        columns = {name: test.columns[own] for name, own in pairs.items()}
        self.held_out = Source(kind="table", title=TEST, relation=ident(TEST), columns=columns)
        if not self.engine.count("encode/size", names={"source": self.held_out.relation}):
            raise RequestError("the table to test on has no row with a class.")

    def part(self, repeat: int, fold: int) -> None:
        """Cut out the rows to learn from and those to test on."""
        if self.held_out is not None:
            # Everything was dealt to one fold, and no row to the one that is tested.
            fold = 1
        for table, is_test in ((TRAIN, False), (TEST, True)):
            if is_test and self.held_out is not None:
                continue
            number = None if is_test else self.number
            names = {"columns": self.kept, "repeat": repeat, "number": number}
            self.engine.make("evaluate/part", {"fold": fold, "is_test": is_test}, names, to=table)

    def round(
        self,
        repeat: int,
        fold: int,
        learner: Any,
        privacy: Privacy | None,
        progress: Progress = no_progress,
    ) -> Fold:
        """Learn and test once."""
        with self.shown(learner, privacy) as shown:
            return self.taught(repeat, fold, learner, shown, progress)

    @contextmanager
    def shown(self, learner: Any, privacy: Privacy | None) -> Iterator[Shown]:
        """What this learner, and every other that reads as it does, is shown of both parts."""
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
                    names = self._mapped_names(privacy)
                    test = mapped(self.engine, test, part, train, names, self.number)
            if privacy is not None and protocol[1] == "P":
                reading = test_reading(learner)
                test, gcp = stack.enter_context(
                    released(self.engine, test, privacy, reading, target, self.seed)
                )
                gcps.append(gcp)
            yield Shown(train=train, test=test, gcp=gcps[0] if gcps else None)

    def taught(
        self,
        repeat: int,
        fold: int,
        learner: Any,
        shown: Shown,
        progress: Progress = no_progress,
    ) -> Fold:
        """Learn from what is shown, and test."""
        model = fit(self.engine, shown.train, self.columns, learner)
        taken = model.confusion(self.engine, shown.test, self.columns.target, progress)
        return Fold(
            repeat=repeat,
            fold=fold,
            n_rows=sum(taken.values()),
            n_right=_right(taken),
            size=model.size,
            gcp=shown.gcp,
        )

    def _as_source(self, table: str) -> Source:
        columns = {name: self.source.columns[name] for name in self.kept}
        if table == TRAIN and self.number is not None:
            columns[self.number] = "BIGINT"
        return Source(kind="table", title=table, relation=ident(table), columns=columns)

    def _mapped_names(self, privacy: Privacy) -> list[str]:
        quasi = {fold(attribute.name) for attribute in privacy.attributes}
        return [name for name in self.columns.features if fold(name) in quasi]


def match(source: Source, test: Source, wanted: Sequence[str]) -> dict[str, str]:
    """The test table's names of the columns that are asked for; lists every fault at once."""
    by_fold = {fold(column): column for column in test.columns}
    found: dict[str, str] = {}
    faults: list[str] = []
    for name in dict.fromkeys(wanted):
        own = by_fold.get(fold(name))
        if own is None:
            near = nearest(name, test.columns)
            faults.append(f'"{name}": the table to test on lacks this column.{near}')
        elif not _are_alike(source.columns[name], test.columns[own]):
            faults.append(
                f'"{name}": of type {told(source.columns[name])} in the table to learn from and of '
                f"type {told(test.columns[own])} in the table to test on. Cast one of them."
            )
        else:
            found[name] = own
    if faults:
        raise RequestError(*faults)
    return found


def _are_alike(one: str, other: str) -> bool:
    """Whether values of two types can be the same."""
    families = {family_of(one), family_of(other)}
    return one == other or len(families) == 1 or any(families <= kin for kin in ALIKE)


def _free_name(source: Source) -> str:
    """A name for the number of a row that no column has."""
    name = "row_number"
    while fold(name) in {fold(column) for column in source.columns}:
        name += "_"
    return name


def _right(taken: Confusion) -> int:
    return sum(n_rows for (truth, predicted), n_rows in taken.items() if truth == predicted)
