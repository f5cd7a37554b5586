"""Figure 2 of Chettri and Ray, as numbers of ours: accuracy by model and k, SSE and IL."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ppdt_db.evaluate.papers.mict import Cell, Measured, Record
from ppdt_db.evaluate.papers.mict_data import MODELS, ORIGINAL, PLAIN
from ppdt_db.evaluate.plot import Loss
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold


@dataclass(frozen=True, kw_only=True)
class Line:
    """A method at one k: accuracies in percent over all test rows, means over the folds for losses.

    `lost` are the points below the same folds without anonymization, `least` is the smallest k that
    the audit measured in any fold.
    """

    data: str
    method: str
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
    """The lines of the table: by data set, method and k as they were asked for."""
    found = _grouped(cells, record)
    return [
        _line(key, folds, found[key[0], ORIGINAL, 1])
        for key, folds in found.items()
        if key[1] != ORIGINAL
    ]


def figures_of(cells: Sequence[Cell], record: Record) -> dict[str, Comparison]:
    """The rounds of every method on every data set, by both names, as a plot takes them."""
    found = _grouped(cells, record)
    groups: dict[str, list[Evaluation]] = {}
    for (data, method, k), folds in found.items():
        if method == ORIGINAL:
            continue
        originals = [_fold(fold, PLAIN) for fold in found[data, ORIGINAL, 1]]
        groups.setdefault(f"{data}, {method}", []).extend(
            Evaluation(
                folds=[_fold(fold, model) for fold in folds],
                originals=originals,
                learner=model,
                k=k,
            )
            for model in MODELS
        )
    return {name: Comparison(evaluations=group) for name, group in groups.items()}


def _grouped(cells: Sequence[Cell], record: Record) -> dict[tuple[str, str, int], list[Measured]]:
    """The folds of every line, in the order of data sets, methods and ks."""
    found: dict[tuple[str, str, int], list[Measured]] = {}
    for cell in cells:
        found.setdefault((cell.data, cell.method, cell.k), []).append(record.cells[cell])
    return found


def _fold(found: Measured, model: str) -> Loosened:
    return Loosened(
        repeat=0, fold=found.cell.fold, n_rows=found.n_rows, n_right=found.n_right[model],
        size=found.n_learnt, gcp=found.gcp, il=found.il,
    )  # fmt: skip


def _line(
    key: tuple[str, str, int], folds: Sequence[Measured], originals: Sequence[Measured]
) -> Line:
    original = _accuracy(originals, PLAIN)
    accuracy = {model: _accuracy(folds, model) for model in MODELS}
    return Line(
        data=key[0],
        method=key[1],
        k=key[2],
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
