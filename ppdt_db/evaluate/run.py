"""`evaluate`: learn from one part of a table, test on another, as often as the plan says.

Only the part that is learnt from is ever used to choose an anonymization of it.
"""

import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Literal, get_args

import duckdb

from ppdt_db.anonymize import anonymize
from ppdt_db.encode import ORDERED, family_of
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.plan import Plan, read_plan
from ppdt_db.evaluate.statistics import Verdict, combined_f
from ppdt_db.learn.api import C45, TreeLearner, fit
from ppdt_db.learn.apply import Confusion
from ppdt_db.learn.lesson import Columns, find_columns
from ppdt_db.learn.model import Learner
from ppdt_db.methods import Method
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.names import fold, ident
from ppdt_db.policy import Attribute, Recoding
from ppdt_db.source import Given, Source, opened, stage

Protocol = Literal["PO", "PP", "OP"]
PROTOCOLS: tuple[str, ...] = get_args(Protocol)


@dataclass(frozen=True, kw_only=True)
class Fold:
    """One round of learning and testing."""

    repeat: int
    fold: int
    n_rows: int
    n_right: int
    size: int
    gcp: float | None = None

    @property
    def accuracy(self) -> float:
        """The share of test rows whose class was found."""
        return self.n_right / self.n_rows if self.n_rows else 0.0


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All rounds, and with an anonymization the same rounds without it."""

    folds: Sequence[Fold]
    originals: Sequence[Fold] = field(default=())

    @property
    def accuracy_mean(self) -> float:
        """The mean over the rounds."""
        return fmean(fold.accuracy for fold in self.folds)

    @property
    def accuracy_sd(self) -> float:
        """The standard deviation over the rounds."""
        return stdev(f.accuracy for f in self.folds) if len(self.folds) > 1 else 0.0

    @property
    def gcp(self) -> float | None:
        """The mean information lost by anonymization."""
        known = [fold.gcp for fold in self.folds if fold.gcp is not None]
        return fmean(known) if known else None

    @property
    def original_accuracy_mean(self) -> float | None:
        """The mean accuracy of the same rounds without anonymization."""
        return fmean(fold.accuracy for fold in self.originals) if self.originals else None

    @property
    def verdict(self) -> Verdict | None:
        """Whether anonymization made a difference, by the combined 5x2cv F test."""
        if len(self.originals) != 10 or len(self.folds) != 10:
            return None
        differences = [
            original.accuracy - fold.accuracy
            for original, fold in zip(self.originals, self.folds, strict=True)
        ]
        return combined_f([differences[i : i + 2] for i in range(0, 10, 2)])

    def as_dict(self) -> dict[str, object]:
        """Everything, for JSON."""
        verdict = self.verdict
        return {
            "accuracy_mean": self.accuracy_mean,
            "accuracy_sd": self.accuracy_sd,
            "gcp": self.gcp,
            "original_accuracy_mean": self.original_accuracy_mean,
            "combined_f": verdict.statistic if verdict else None,
            "combined_f_p": verdict.p_value if verdict else None,
            "folds": [
                {
                    "repeat": fold.repeat,
                    "fold": fold.fold,
                    "rows": fold.n_rows,
                    "right": fold.n_right,
                    "accuracy": fold.accuracy,
                    "size": fold.size,
                    "gcp": fold.gcp,
                }
                for fold in self.folds
            ],
        }


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """How the part that is perturbed is anonymized."""

    method: Method
    quasi: Sequence[str]
    protocol: Protocol = "PO"
    recode: Mapping[str, Recoding] = field(default_factory=dict)


def evaluate(
    con: duckdb.DuckDBPyConnection,
    source: Given,
    *,
    target: str,
    features: Sequence[str] | None = None,
    learner: TreeLearner | Learner | None = None,
    cv: str = "5x2",
    stratified: bool = False,
    privacy: Privacy | None = None,
    seed: int = 1,
    progress: Progress = no_progress,
) -> Evaluation:
    """Cross-validate a learner, on the original or on what an anonymization leaves of it.

    >>> con = duckdb.connect()
    >>> days = con.sql("SELECT i % 2 AS rain, i % 2 = 1 AS umbrella FROM range(40) r(i)")
    >>> evaluate(con, days, target="umbrella", cv="2").accuracy_mean
    1.0
    """
    plan = read_plan(cv)
    chosen = learner or C45()
    faults = [*chosen.faults, *(_privacy_faults(privacy) if privacy else [])]
    if faults:
        raise RequestError(*faults)
    engine = DuckEngine(con)
    with ExitStack() as stack:
        stack.enter_context(interruptible(con))
        stack.enter_context(engine.cleared())
        found = stack.enter_context(opened(engine, source))
        read = stage(engine, found)
        columns = find_columns(read, target, features, None)
        bench = _Bench(engine, read, columns, chosen, privacy, seed)
        bench.deal(plan, stratified=stratified)
        folds: list[Fold] = []
        originals: list[Fold] = []
        for number, (repeat, fold) in enumerate(plan.rounds):
            progress("evaluate", number / len(plan.rounds))
            bench.part(repeat, fold)
            if privacy is not None:
                originals.append(bench.round(repeat, fold, None))
            folds.append(bench.round(repeat, fold, privacy))
    return Evaluation(folds=folds, originals=originals)


def _privacy_faults(privacy: Privacy) -> list[str]:
    found = []
    if privacy.protocol not in PROTOCOLS:
        found.append(f"protocol {privacy.protocol}: choose one of {', '.join(PROTOCOLS)}.")
    if not privacy.quasi:
        found.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
    return found


class _Bench:
    """One evaluation: the dealt table, and the two parts of the round at hand."""

    def __init__(
        self,
        engine: DuckEngine,
        source: Source,
        columns: Columns,
        learner: TreeLearner | Learner,
        privacy: Privacy | None,
        seed: int,
    ) -> None:
        self.engine = engine
        self.source = source
        self.columns = columns
        self.learner = learner
        self.seed = seed
        asked = [*(privacy.quasi if privacy else ()), columns.target, *columns.features]
        by_fold = {fold(name): name for name in source.columns}
        self.kept = list(dict.fromkeys(by_fold[fold(c)] for c in asked if fold(c) in by_fold))

    def deal(self, plan: Plan, *, stratified: bool) -> None:
        """Deal the rows to folds."""
        key = hashlib.sha256(f"ppdt seed {self.seed}".encode()).hexdigest()
        names = {
            "source": self.source.relation,
            "columns": self.kept,
            "target": self.columns.target,
            "stratified": stratified,
            "repeats": list(range(plan.n_repeats)),
            "n_folds": plan.n_folds,
        }
        self.engine.make("evaluate/shuffled", {"run_key": key}, names)

    def part(self, repeat: int, fold: int) -> None:
        """Cut out the rows to learn from and those to test on."""
        names = {"columns": self.kept, "repeat": repeat}
        for table, is_test in (("ppdt_train", False), ("ppdt_test", True)):
            self.engine.make("evaluate/part", {"fold": fold, "is_test": is_test}, names, to=table)

    def round(self, repeat: int, fold: int, privacy: Privacy | None) -> Fold:
        """Learn and test once."""
        protocol = privacy.protocol if privacy else "OO"
        with ExitStack() as stack:
            train, test = self._as_source("ppdt_train"), self._as_source("ppdt_test")
            gcp = None
            if privacy is not None and protocol[0] == "P":
                train, gcp = stack.enter_context(self._released(train, privacy))
            if privacy is not None and protocol[1] == "P":
                test, gcp_of_test = stack.enter_context(self._released(test, privacy))
                gcp = gcp if gcp is not None else gcp_of_test
            model = fit(self.engine, train, self.columns, self.learner)
            taken = model.confusion(self.engine, test, self.columns.target)
        return Fold(
            repeat=repeat,
            fold=fold,
            n_rows=sum(taken.values()),
            n_right=_right(taken),
            size=model.size,
            gcp=gcp,
        )

    def _as_source(self, table: str) -> Source:
        columns = {name: self.source.columns[name] for name in self.kept}
        return Source(kind="table", title=table, relation=ident(table), columns=columns)

    @contextmanager
    def _released(self, part: Source, privacy: Privacy) -> Iterator[tuple[Source, float | None]]:
        """A release of a part, in a file that is gone afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "release.parquet")
            release = anonymize(
                self.engine.con,
                self.engine.con.table(part.title),
                quasi=[
                    Attribute(name, privacy.recode.get(name) or _recoding(part.columns, name))
                    for name in privacy.quasi
                ],
                target=self.columns.target,
                keep="rest",
                method=privacy.method,
                out=path,
                seed=self.seed,
            )
            gcp = release.certificate["gcp"]
            with opened(self.engine, path) as read:
                yield read, gcp if isinstance(gcp, float) else None


def _recoding(columns: Mapping[str, str], name: str) -> Recoding:
    """What a learner of single values can read: means of what has an order, else modes."""
    column = next((c for c in columns if fold(c) == fold(name)), None)
    return "mean" if column and family_of(columns[column]) in ORDERED else "mode"


def _right(taken: Confusion) -> int:
    return sum(n_rows for (truth, predicted), n_rows in taken.items() if truth == predicted)
