"""Figure 2 of Chettri and Ray, as numbers of ours: accuracy by model and k, SSE and IL."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from ppdt_db.evaluate.papers.mict import Record
from ppdt_db.evaluate.papers.mict_data import MODELS, ORIGINAL, PLAIN, Cell, Measured, Way
from ppdt_db.evaluate.plot import Loss
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold

# Data set, method, what is perturbed, k.
Key: TypeAlias = tuple[str, str, Way | None, int]


@dataclass(frozen=True, kw_only=True)
class Line:
    """A method at one k: accuracies in percent over all test rows, means over the folds for losses.

    `lost` are the points below the same folds without anonymization, `least` is the smallest k that
    the audit measured in any fold.
    """

    data: str
    method: str
    perturbed: Way | None
    k: int
    folds: int
    rows: int
    original: float
    accuracy: dict[str, float]
    lost: dict[str, float]
    sse: float | None
    il: float | None
    gcp: float | None
    least: int | None
    seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Loosened(Fold):
    """A round with its IL."""

    il: float | None


def _il(one: Evaluation) -> float | None:
    return _mean([fold.il for fold in one.folds if isinstance(fold, Loosened)])


IL = Loss(title="information lost (IL, %)", unit="IL", of=_il, is_shared=True)


def table_of(cells: Sequence[Cell], record: Record) -> list[Line]:
    """The lines of the table, in the order of the cells."""
    found = _grouped(cells, record)
    return [
        _line(key, folds, found[_original(key[0])])
        for key, folds in found.items()
        if key[1] != ORIGINAL
    ]


def figures_of(cells: Sequence[Cell], record: Record) -> dict[str, Comparison]:
    """The rounds of every method, data set and way, by all three, as a plot takes them."""
    found = _grouped(cells, record)
    groups: dict[str, list[Evaluation]] = {}
    for (data, method, way, k), folds in found.items():
        if method == ORIGINAL:
            continue
        originals = [_fold(fold, PLAIN) for fold in found[_original(data)]]
        groups.setdefault(f"{data}, {method}, {way}", []).extend(
            Evaluation(
                folds=[_fold(fold, model) for fold in folds],
                originals=originals,
                learner=model,
                k=k,
            )
            for model in MODELS
        )
    return {name: Comparison(evaluations=group) for name, group in groups.items()}


def _original(data: str) -> Key:
    return data, ORIGINAL, None, 1


def _grouped(cells: Sequence[Cell], record: Record) -> dict[Key, list[Measured]]:
    """The folds of every line, in the order of data sets, methods and ks."""
    found: dict[Key, list[Measured]] = {}
    for cell in cells:
        key = (cell.data, cell.method, cell.way, cell.k)
        found.setdefault(key, []).append(record.cells[cell])
    return found


def _fold(found: Measured, model: str) -> Loosened:
    return Loosened(
        repeat=0, fold=found.cell.fold, n_rows=found.n_rows, n_right=found.n_right[model],
        size=found.n_learnt, gcp=found.gcp, il=found.il,
    )  # fmt: skip


def _line(key: Key, folds: Sequence[Measured], originals: Sequence[Measured]) -> Line:
    original = _accuracy(originals, PLAIN)
    accuracy = {model: _accuracy(folds, model) for model in MODELS}
    return Line(
        data=key[0],
        method=key[1],
        perturbed=key[2],
        k=key[3],
        folds=len(folds),
        rows=folds[0].n_learnt + folds[0].n_rows,
        original=original,
        accuracy=accuracy,
        lost={model: original - own for model, own in accuracy.items()},
        sse=_mean([fold.sse for fold in folds]),
        il=_mean([fold.il for fold in folds]),
        gcp=_mean([fold.gcp for fold in folds]),
        least=min((fold.least for fold in folds if fold.least is not None), default=None),
        seconds=_mean([fold.seconds for fold in folds]),
    )


def _accuracy(folds: Sequence[Measured], model: str) -> float:
    """The share of all test rows whose class was found, in percent."""
    return 100 * sum(f.n_right[model] for f in folds) / sum(f.n_rows for f in folds)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
