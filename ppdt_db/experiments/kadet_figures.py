"""Figures 4 to 8 of Friedman et al. as lines of numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ppdt_db.experiments.kadet import KADET, PLAIN, KadetCell, KadetResult
from ppdt_db.experiments.kadet_data import TDS, TDS_BOTH, Figure
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn.kadet.certainty import least_l
from ppdt_db.learn.kadet.kadet import TreeForm


@dataclass(frozen=True, kw_only=True)
class KadetLine:
    """kADET's tree at one k or limit, and the error of TDS at that k, in percent."""

    form: TreeForm
    k: int
    limit: float | None
    l: float | None  # noqa: E741
    error: float
    exposed: float | None
    nodes: int
    root: str | None
    k_measured: float | None
    l_measured: float | None
    seconds: float
    tds_error: float | None
    tds_seconds: float | None
    tds_both_error: float | None = None
    """With the test rows among those that are released, as the paper did it."""

    @property
    def place(self) -> float:
        """Its position on the figure's axis."""
        return self.k if self.limit is None else self.limit


@dataclass(frozen=True, kw_only=True)
class FigureData:
    """A figure: its lines, and the errors of ID3 and C4.5 without anonymity, in percent."""

    figure: Figure
    original: Mapping[str, float]
    lines: Sequence[KadetLine]

    @property
    def below_tds(self) -> float | None:
        """The mean number of points by which the error is below that of TDS; None without TDS."""
        found = [one.tds_error - one.error for one in self.lines if one.tds_error is not None]
        return fmean(found) if found else None

    @property
    def below_tds_both(self) -> float | None:
        """The same for TDS over training and test rows together."""
        pairs = [(one.tds_both_error, one.error) for one in self.lines]
        found = [tds - error for tds, error in pairs if tds is not None]
        return fmean(found) if found else None


def drawn(
    figure: Figure, cells: Sequence[KadetCell], record: ResultsFile[KadetResult]
) -> FigureData:
    """Return the recorded data of a figure."""
    known: Mapping[KadetCell, KadetResult] = {cell: record.cells[cell] for cell in cells}
    return FigureData(
        figure=figure,
        original={c.method: found.error for c, found in known.items() if c.method in PLAIN},
        lines=[
            _line(found, known.get(replace(c, method=TDS)), known.get(replace(c, method=TDS_BOTH)))
            for c, found in known.items()
            if c.method == KADET
        ],
    )


def _line(found: KadetResult, tds: KadetResult | None, both: KadetResult | None) -> KadetLine:
    cell = found.cell
    return KadetLine(
        form=cell.form,
        k=cell.k,
        limit=cell.limit,
        l=None if cell.limit is None else least_l(cell.limit),
        error=found.error,
        exposed=found.exposed,
        nodes=found.size,
        root=found.root,
        k_measured=found.k_measured,
        l_measured=found.l_measured,
        seconds=found.seconds,
        tds_error=tds.error if tds else None,
        tds_seconds=tds.seconds if tds else None,
        tds_both_error=both.error if both else None,
    )
