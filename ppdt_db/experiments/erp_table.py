"""Table 2 of Yang et al.: the paper's figures beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ppdt_db.experiments.erp import ErpCell, ErpResult
from ppdt_db.experiments.erp_data import ALL, DATA, ErpPublished, printed
from ppdt_db.experiments.folds import mean_of_known
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.experiments.verdict import Cell


@dataclass(frozen=True, kw_only=True)
class ErpLine:
    """A method at one k: mean seconds and GCP over the folds, errors in percent of all rows.

    `error` is by the paper's protocol: of all test rows, generalized in their groups. `error_shown`
    is of those that the rules of the release show, `withheld` the percentage that they do not,
    `error_untouched` of all test rows as they are.
    """

    data: str
    method: str
    k: int
    folds: int
    seconds: float | None
    gcp: float | None
    error: float
    error_shown: float | None
    withheld: float
    error_untouched: float
    their_seconds: float | None
    their_gcp: float | None
    their_error: float | None


def table_of(cells: Sequence[ErpCell], record: ResultsFile[ErpResult]) -> list[ErpLine]:
    """Return the lines of the table in the paper's order: data, k, method."""
    found: dict[tuple[str, str, int], list[ErpResult]] = {}
    for cell in cells:
        found.setdefault((cell.data, cell.method, cell.k), []).append(record.cells[cell])
    data, methods = list(DATA), list(ALL)
    order = sorted(found, key=lambda key: (data.index(key[0]), key[2], methods.index(key[1])))
    return [_line(key, found[key]) for key in order]


def _line(key: tuple[str, str, int], folds: Sequence[ErpResult]) -> ErpLine:
    theirs: ErpPublished | None = printed().get(key)
    n_rows, n_shown = sum(f.n_rows for f in folds), sum(f.n_shown for f in folds)
    return ErpLine(
        data=key[0],
        method=key[1],
        k=key[2],
        folds=len(folds),
        seconds=mean_of_known([fold.seconds for fold in folds]),
        gcp=mean_of_known([fold.gcp for fold in folds]),
        error=_error(sum(fold.n_right for fold in folds), n_rows),
        error_shown=_error(sum(f.n_right_shown for f in folds), n_shown) if n_shown else None,
        withheld=100 * (n_rows - n_shown) / n_rows,
        error_untouched=_error(sum(fold.n_right_untouched for fold in folds), n_rows),
        their_seconds=theirs.seconds if theirs else None,
        their_gcp=theirs.gcp if theirs else None,
        their_error=theirs.error if theirs else None,
    )


def compared(line: ErpLine) -> list[Cell]:
    """Return the GCP and the error of a line beside the paper's."""
    where = f"table 2, {line.data}, {line.method}" + (f", k = {line.k}" if line.k > 1 else "")
    found = []
    if line.their_gcp is not None:
        cell = Cell(where=f"{where}: GCP", paper=line.their_gcp, ours=line.gcp, better="low")
        found.append(replace(cell, deviation=0.00005))
    if line.their_error is not None:
        cell = Cell(
            where=f"{where}: error %", paper=line.their_error, ours=line.error, better="low"
        )
        found.append(replace(cell, deviation=0.005))
    return found


def _error(n_right: int, n_rows: int) -> float:
    """Return the share classified wrongly, in percent."""
    return 100 * (n_rows - n_right) / n_rows
