"""Figure 2 of Chettri and Ray as our numbers: accuracy by model and k, SSE and IL."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ppdt_db.evaluate.plot import LossAxis
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold
from ppdt_db.experiments.folds import mean_of_known
from ppdt_db.experiments.mict_data import MODELS, ORIGINAL, PLAIN, MictCell, MictResult, Way
from ppdt_db.experiments.results_file import ResultsFile

# Data set, method, what is perturbed, k.
Key: TypeAlias = tuple[str, str, Way | None, int]


@dataclass(frozen=True, kw_only=True)
class MictLine:
    """A method at one k: accuracies in percent over all test rows, mean losses over the folds.

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
    return mean_of_known([fold.il for fold in one.folds if isinstance(fold, Loosened)])


IL = LossAxis(title="information lost (IL, %)", unit="IL", of=_il, is_shared=True)


def table_of(cells: Sequence[MictCell], record: ResultsFile[MictResult]) -> list[MictLine]:
    """Return the lines of the table, in the order of the cells."""
    found = _grouped(cells, record)
    return [
        _line(key, folds, found[_original(key[0])])
        for key, folds in found.items()
        if key[1] != ORIGINAL
    ]


def figures_of(cells: Sequence[MictCell], record: ResultsFile[MictResult]) -> dict[str, Comparison]:
    """Return the rounds of every method, data set and way, by all three, for a plot."""
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


def _grouped(
    cells: Sequence[MictCell], record: ResultsFile[MictResult]
) -> dict[Key, list[MictResult]]:
    """Return the folds of every line, in the order of data sets, methods and ks."""
    found: dict[Key, list[MictResult]] = {}
    for cell in cells:
        key = (cell.data, cell.method, cell.way, cell.k)
        found.setdefault(key, []).append(record.cells[cell])
    return found


def _fold(found: MictResult, model: str) -> Loosened:
    return Loosened(
        repeat=0, fold=found.cell.fold, n_rows=found.n_rows, n_right=found.n_right[model],
        size=found.n_learnt, gcp=found.gcp, il=found.il,
    )  # fmt: skip


def _line(key: Key, folds: Sequence[MictResult], originals: Sequence[MictResult]) -> MictLine:
    original = _accuracy(originals, PLAIN)
    accuracy = {model: _accuracy(folds, model) for model in MODELS}
    return MictLine(
        data=key[0],
        method=key[1],
        perturbed=key[2],
        k=key[3],
        folds=len(folds),
        rows=folds[0].n_learnt + folds[0].n_rows,
        original=original,
        accuracy=accuracy,
        lost={model: original - own for model, own in accuracy.items()},
        sse=mean_of_known([fold.sse for fold in folds]),
        il=mean_of_known([fold.il for fold in folds]),
        gcp=mean_of_known([fold.gcp for fold in folds]),
        least=min((fold.least for fold in folds if fold.least is not None), default=None),
        seconds=mean_of_known([fold.seconds for fold in folds]),
    )


def _accuracy(folds: Sequence[MictResult], model: str) -> float:
    """Return the share of all test rows classified correctly, in percent."""
    return 100 * sum(f.n_right[model] for f in folds) / sum(f.n_rows for f in folds)
