"""Table 2 of Yang et al.: the paper's figures beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ppdt_db.evaluate.papers.erp import Cell, Measured, Record
from ppdt_db.evaluate.papers.erp_data import ALL, DATA, Printed, printed


@dataclass(frozen=True, kw_only=True)
class Line:
    """A method at one k: means over the folds for seconds and GCP, errors in percent of all rows.

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


def table_of(cells: Sequence[Cell], record: Record) -> list[Line]:
    """The lines of the table, in the paper's order: data, k, method."""
    found: dict[tuple[str, str, int], list[Measured]] = {}
    for cell in cells:
        found.setdefault((cell.data, cell.method, cell.k), []).append(record.cells[cell])
    data, methods = list(DATA), list(ALL)
    order = sorted(found, key=lambda key: (data.index(key[0]), key[2], methods.index(key[1])))
    return [_line(key, found[key]) for key in order]


def _line(key: tuple[str, str, int], folds: Sequence[Measured]) -> Line:
    theirs: Printed | None = printed().get(key)
    n_rows, n_shown = sum(f.n_rows for f in folds), sum(f.n_shown for f in folds)
    return Line(
        data=key[0],
        method=key[1],
        k=key[2],
        folds=len(folds),
        seconds=_mean([fold.seconds for fold in folds]),
        gcp=_mean([fold.gcp for fold in folds]),
        error=_error(sum(fold.n_right for fold in folds), n_shown) if n_shown else None,
        withheld=100 * (n_rows - n_shown) / n_rows,
        error_untouched=_error(sum(fold.n_right_untouched for fold in folds), n_rows),
        their_seconds=theirs.seconds if theirs else None,
        their_gcp=theirs.gcp if theirs else None,
        their_error=theirs.error if theirs else None,
    )


def _error(n_right: int, n_rows: int) -> float:
    """The share that was wrong, in percent."""
    return 100 * (n_rows - n_right) / n_rows


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
