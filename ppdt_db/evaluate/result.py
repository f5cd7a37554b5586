"""The results of an evaluation: rounds, means, and whether a difference is significant."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from statistics import fmean, stdev

from ppdt_db.evaluate.statistics import (
    Verdict,
    bonferroni_dunn,
    combined_f,
    iman_davenport,
    mean_ranks,
)


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
        """The share of test rows classified correctly."""
        return self.n_right / self.n_rows if self.n_rows else 0.0

    def as_dict(self) -> dict[str, object]:
        """Return the round, for JSON and for a relation."""
        return {
            "repeat": self.repeat,
            "fold": self.fold,
            "rows": self.n_rows,
            "right": self.n_right,
            "accuracy": self.accuracy,
            "size": self.size,
            "gcp": self.gcp,
        }


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All rounds of one learner; with an anonymization, also the same rounds without it."""

    folds: Sequence[Fold]
    originals: Sequence[Fold] = field(default=())
    learner: str = ""
    k: int | None = None

    @property
    def name(self) -> str:
        """A short name of what was measured."""
        return self.learner if self.k is None else f"{self.learner} k={self.k}".strip()

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
        """The mean information loss of the anonymization."""
        known = [fold.gcp for fold in self.folds if fold.gcp is not None]
        return fmean(known) if known else None

    @property
    def original_accuracy_mean(self) -> float | None:
        """The mean accuracy of the same rounds without anonymization."""
        return fmean(fold.accuracy for fold in self.originals) if self.originals else None

    @property
    def verdict(self) -> Verdict | None:
        """The combined 5x2cv F test of whether anonymization makes a difference."""
        is_five_by_two = {(f.repeat, f.fold) for f in self.originals} == FIVE_BY_TWO
        if not is_five_by_two or len(self.folds) != 10:
            return None
        differences = [
            original.accuracy - fold.accuracy
            for original, fold in zip(self.originals, self.folds, strict=True)
        ]
        return combined_f([differences[i : i + 2] for i in range(0, 10, 2)])

    def as_dict(self) -> dict[str, object]:
        """Return the results as JSON values."""
        verdict = self.verdict
        return {
            "learner": self.learner,
            "k": self.k,
            "accuracy_mean": self.accuracy_mean,
            "accuracy_sd": self.accuracy_sd,
            "gcp": self.gcp,
            "original_accuracy_mean": self.original_accuracy_mean,
            "combined_f": _finite(verdict.statistic) if verdict else None,
            "combined_f_p": verdict.p_value if verdict else None,
            "folds": [fold.as_dict() for fold in self.folds],
            "original_folds": [fold.as_dict() for fold in self.originals],
        }


FIVE_BY_TWO = {(repeat, fold) for repeat in range(5) for fold in range(2)}


@dataclass(frozen=True, kw_only=True)
class Rival:
    """One of the compared: its mean rank, and its distance from the first one's."""

    name: str
    mean_rank: float
    is_different: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Several learners, or several k, over the same rounds."""

    evaluations: Sequence[Evaluation]

    @property
    def rivals(self) -> dict[str, Sequence[Fold]]:
        """The rounds of everything compared: every learner's original first, then its releases."""
        found: dict[str, Sequence[Fold]] = {}
        for evaluation in self.evaluations:
            if evaluation.originals:
                found[f"{evaluation.learner} original".strip()] = evaluation.originals
        return found | {evaluation.name: evaluation.folds for evaluation in self.evaluations}

    @property
    def scores(self) -> list[list[float]]:
        """The accuracy of every rival (column) in every round (row)."""
        columns = [[fold.accuracy for fold in folds] for folds in self.rivals.values()]
        return [list(row) for row in zip(*columns, strict=True)]

    @property
    def is_comparable(self) -> bool:
        """Return whether there are at least two rivals and two rounds."""
        return len(self.scores) > 1 and len(self.rivals) > 1

    @property
    def friedman(self) -> Verdict | None:
        """Friedman's test with Iman and Davenport's correction: do all rivals perform alike?"""
        return iman_davenport(self.scores) if self.is_comparable else None

    @property
    def critical_difference(self) -> float | None:
        """The least significant difference of mean ranks from the first (Bonferroni-Dunn, 95 %)."""
        if not self.is_comparable:
            return None
        return bonferroni_dunn(len(self.rivals), len(self.scores))

    @property
    def ranking(self) -> list[Rival]:
        """Return every rival compared with the first one."""
        critical = self.critical_difference
        if critical is None:
            return []
        ranks = mean_ranks(self.scores)
        return [
            Rival(name=name, mean_rank=rank, is_different=abs(rank - ranks[0]) > critical)
            for name, rank in zip(self.rivals, ranks, strict=True)
        ]

    def as_dict(self) -> dict[str, object]:
        """Return the results as JSON values; for a single evaluation, those of it alone."""
        if len(self.evaluations) == 1:
            return self.evaluations[0].as_dict()
        friedman = self.friedman
        return {
            "evaluations": [evaluation.as_dict() for evaluation in self.evaluations],
            "friedman": _finite(friedman.statistic) if friedman else None,
            "friedman_p": friedman.p_value if friedman else None,
            "critical_difference": self.critical_difference,
            "ranks": [
                {"name": r.name, "mean_rank": r.mean_rank, "differs_from_first": r.is_different}
                for r in self.ranking
            ],
        }

    def as_columns(self) -> dict[str, list[object]]:
        """Return every round of everything as the columns of one relation."""
        rows = [
            {"learner": e.learner, "data": data, "k": k, **fold.as_dict()}
            for e in self.evaluations
            for data, k, folds in (("released", e.k, e.folds), ("original", None, e.originals))
            for fold in folds
        ]
        return {name: [row[name] for row in _unique_rounds(rows)] for name in COLUMNS}


COLUMNS = (
    "learner", "data", "k", "repeat", "fold", "rows", "right", "accuracy", "size", "gcp",
)  # fmt: skip


def _unique_rounds(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return each round once: an original stands beside every k; without k nothing is released."""
    found: dict[tuple[object, ...], dict[str, object]] = {}
    for row in rows:
        if row["data"] == "released" and row["k"] is None:
            row["data"] = "original"
        found[tuple(row[name] for name in ("learner", "data", "k", "repeat", "fold"))] = row
    return list(found.values())


def _finite(value: float) -> float | None:
    """Return a statistic for JSON, which has no infinity."""
    return value if isfinite(value) else None
