"""Figure 2 of Chettri and Ray as our numbers: accuracy by model and k, SSE and IL."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ppdt_db.evaluate.plot import LossAxis
from ppdt_db.evaluate.result import Comparison, Evaluation, Fold
from ppdt_db.experiments.folds import mean_of_known
from ppdt_db.experiments.mict_data import (
    MODELS,
    ORIGINAL,
    PAPER,
    PLAIN,
    MictCell,
    MictResult,
    Way,
)
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.experiments.verdict import Cell

# Data set, method, what is perturbed, k.
Key: TypeAlias = tuple[str, str, Way | None, int]


@dataclass(frozen=True, kw_only=True)
class MictLine:
    """A method at one k: accuracies in percent over all test rows, mean losses over the folds.

    `lost` are the points below the same folds without anonymization, `least` is the smallest k that
    the audit measured in any fold, `path` likewise. `linked` and `found` are in percent of the rows
    that were looked for: nearest class, and nearest row.
    """

    data: str
    method: str
    perturbed: Way | None
    k: int
    folds: int
    rows: int
    tested: int
    original: float
    accuracy: dict[str, float]
    lost: dict[str, float]
    sse: float | None
    il: float | None
    gcp: float | None
    least: int | None
    path: int | None
    linked: float | None
    found: float | None
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
        tested=sum(fold.n_rows for fold in folds),
        original=original,
        accuracy=accuracy,
        lost={model: original - own for model, own in accuracy.items()},
        sse=mean_of_known([fold.sse for fold in folds]),
        il=mean_of_known([fold.il for fold in folds]),
        gcp=mean_of_known([fold.gcp for fold in folds]),
        least=min((fold.least for fold in folds if fold.least is not None), default=None),
        path=min((fold.path for fold in folds if fold.path is not None), default=None),
        linked=_share(folds, [fold.linked for fold in folds]),
        found=_share(folds, [fold.found for fold in folds]),
        seconds=mean_of_known([fold.seconds for fold in folds]),
    )


def _share(folds: Sequence[MictResult], found: Sequence[float | None]) -> float | None:
    """Return the share of all test rows, in percent, if it was measured."""
    known = [value for value in found if value is not None]
    return 100 * sum(known) / sum(f.n_rows for f in folds) if len(known) == len(folds) else None


def cells_of_text(lines: Sequence[MictLine]) -> list[Cell]:
    """Return what the paper's text says of its method, as cells beside what was measured.

    It plots its accuracies without figures. It says that the method "does not degrade the data
    utility": then the accuracy without anonymization is what each model is measured by, equal
    within the standard error of an accuracy over the rows tested. It says that the result is
    k-anonymous: then k is what the release must keep on the attributes of every path.
    """
    cells: list[Cell] = []
    for line in lines:
        if line.method != PAPER:
            continue
        where = f"{line.data}, {line.perturbed}, k = {line.k}: "
        share = line.original / 100
        error = 100 * (share * (1 - share) / line.tested) ** 0.5
        cells += [
            Cell(
                where=f"{where}{model} keeps the accuracy",
                paper=round(line.original, 2),
                ours=round(line.accuracy[model], 2),
                deviation=round(error, 2),
            )
            for model in MODELS
        ]
        cells.append(Cell(where=f"{where}k of every path", paper=line.k, ours=line.path))
    return cells


def _accuracy(folds: Sequence[MictResult], model: str) -> float:
    """Return the share of all test rows classified correctly, in percent."""
    return 100 * sum(f.n_right[model] for f in folds) / sum(f.n_rows for f in folds)
