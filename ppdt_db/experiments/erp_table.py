"""Table 2 of Yang et al.: the paper's figures beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass

from ppdt_db.experiments.erp import ErpCell, ErpResult
from ppdt_db.experiments.erp_data import ALL, DATA, ErpPublished, printed
from ppdt_db.experiments.folds import mean_of_known
from ppdt_db.experiments.results_file import ResultsFile


@dataclass(frozen=True, kw_only=True)
class ErpLine:
    """A method at one k: mean seconds and GCP over the folds, errors in percent of all rows.

    `error` is of the test rows as the release shows them, `withheld` the percentage that it does
    not show, `error_untouched` of all test rows as they are.
    """

    data: str
    method: str
    k: int
    folds: int
    seconds: float | None
    gcp: float | None
    error: float | None
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
        error=_error(sum(fold.n_right for fold in folds), n_shown) if n_shown else None,
        withheld=100 * (n_rows - n_shown) / n_rows,
        error_untouched=_error(sum(fold.n_right_untouched for fold in folds), n_rows),
        their_seconds=theirs.seconds if theirs else None,
        their_gcp=theirs.gcp if theirs else None,
        their_error=theirs.error if theirs else None,
    )


def _error(n_right: int, n_rows: int) -> float:
    """Return the share classified wrongly, in percent."""
    return 100 * (n_rows - n_right) / n_rows
