"""`ppdt bench paper kadet`: figures 4 to 8 of Friedman et al., measured."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.bench.options import data_with, measuring, paged, wrong_ks
from ppdt_db.cli.bench.page import Page
from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.terminal import Names, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.plot import check_plot, write_plot
from ppdt_db.experiments.kadet import KadetResult, cells_of, measure
from ppdt_db.experiments.kadet_data import FIGURES, KS, LIMITS
from ppdt_db.experiments.kadet_figures import FigureData, KadetLine, drawn
from ppdt_db.experiments.kadet_plot import as_svg
from ppdt_db.experiments.kadet_verdict import stated
from ppdt_db.experiments.results_file import ResultsFile

NOTE = """\
All attributes are public, the class is private. Errors are over the complete original test rows;
TDS trees are trained on the release and tested on rows recoded likewise, with NULL for values that
do not occur in it. TDS of all rows chooses its recoding over training and test rows, as the paper
ran it; the tree is still learnt from the training rows alone."""
HEADS = {
    "error": (
        "k",
        "error %",
        "TDS %",
        "TDS of all rows %",
        "nodes",
        "root",
        "k measured",
        "exposed %",
        "seconds",
    ),
    "exposed": ("k", "ID3 form: exposed %", "error %", "C4.5 form: exposed %", "error %"),
    "limit": ("limit %", "l", "error %", "nodes", "root", "l measured", "exposed %", "seconds"),
}


@click.command(cls=PpdtCommand)
@data_with("adult_train.csv and adult_test.csv")
@click.option(
    "--figure", "number", type=click.Choice([str(n) for n in FIGURES]), help="Only this one."
)
@click.option("--k", "ks", type=Names(), help="Figures 4 to 6: such as 5,20. Default: 2 to 1000.")
@click.option("--limit", "limits", type=Names(), help="Figures 7 and 8, in percent: such as 95,85.")
@click.option(
    "--hierarchies",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder of the categorical attributes' hierarchies. Default: hierarchies/adult in "
    "the folder of --data.",
)
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="FILE.svg or .png.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save every finished tree to this file, and skip those already in it. Use one file per "
    "folder of data and of hierarchies.",
)
@paged
@measuring
def kadet(
    data: Path,
    number: str | None,
    ks: list[str] | None,
    limits: list[str] | None,
    hierarchies: Path | None,
    plot: Path | None,
    resume: Path | None,
    page_path: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Friedman et al.: k-anonymous decision trees, and TDS."""
    _check(ks, limits)
    if plot is not None:
        check_plot(plot)
    wanted_ks = sorted({int(k) for k in ks}) if ks else KS
    wanted_limits = sorted({float(one) for one in limits}, reverse=True) if limits else LIMITS
    chosen = [FIGURES[int(number)]] if number else list(FIGURES.values())
    cells = {figure.number: cells_of(figure, wanted_ks, wanted_limits) for figure in chosen}
    record = ResultsFile(KadetResult, resume)
    with (
        connect(None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=is_json) as report,
    ):
        every = [cell for own in cells.values() for cell in own]
        measure(con, data, hierarchies or data / "hierarchies" / "adult", every, record, report)
    found = [drawn(figure, cells[figure.number], record) for figure in chosen]
    if plot is not None:
        write_plot(as_svg(found), plot)
    if is_json:
        print_json({"figures": [_as_dict(one) for one in found]})
        return
    page = _page(found)
    page.show()
    if page_path is not None:
        page.write(page_path)


def _check(ks: Sequence[str] | None, limits: Sequence[str] | None) -> None:
    """Raise for everything that is wrong at once."""
    faults = wrong_ks(ks, 1)
    faults += [
        f"--limit {one}: write a percentage between 50 and 100, such as 85."
        for one in limits or ()
        if not one.replace(".", "", 1).isdecimal() or not 50 <= float(one) <= 100
    ]
    if faults:
        raise RequestError(*faults)


def _as_dict(one: FigureData) -> dict[str, object]:
    return {
        "figure": one.figure.number,
        "title": one.figure.title,
        "paper": one.figure.published,
        "original": dict(one.original),
        "points_below_tds": one.below_tds,
        "points_below_tds_of_all_rows": one.below_tds_both,
        "lines": [asdict(line) for line in one.lines],
    }


def _page(found: Sequence[FigureData]) -> Page:
    """Return all figures, the statements of the paper's text, and the cells that are counted."""
    page = Page("Friedman, Schuster, Wolff 2006: k-anonymous decision tree induction")
    for one in found:
        _add(page, one)
    page.note(NOTE)
    page.table(
        "What the paper's text states",
        ("statement", "paper", "ours", "verdict"),
        [(c.where, _stated(c.paper), _stated(c.ours), c.verdict) for c in page.cells],
    )
    return page


def _add(page: Page, one: FigureData) -> None:
    """Add a figure: one line per k or limit, the plain error, and the paper's statement."""
    title = f"Figure {one.figure.number}: {one.figure.title}"
    if one.figure.axis == "limit":
        page.table(title, HEADS["limit"], [_by_limit(line) for line in one.lines])
    elif len(one.figure.forms) > 1:
        by_k: dict[int, list[KadetLine]] = {}
        for line in one.lines:
            by_k.setdefault(line.k, []).append(line)
        cells = [(str(k), *(c for line in own for c in _exposed(line))) for k, own in by_k.items()]
        page.table(title, HEADS["exposed"], cells)
    else:
        page.table(title, HEADS["error"], [_by_k(line) for line in one.lines])
    said = []
    plain = ", ".join(f"{name} {error:.2f} %" for name, error in one.original.items())
    if plain:
        said.append(f"Without anonymity: {plain}.")
    if one.below_tds is not None and one.below_tds_both is not None:
        said.append(
            f"On average {one.below_tds_both:.2f} points below TDS over all rows, as the paper ran "
            f"it, and {one.below_tds:.2f} below TDS over the training rows alone."
        )
    said.append(f"The paper: {one.figure.published}.")
    page.note("\n".join(said))
    page.cells += stated(one)


def _stated(value: float | str | None) -> str:
    """Return a figure of a cell."""
    if isinstance(value, str):
        return value
    return "-" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _by_k(line: KadetLine) -> tuple[str, ...]:
    return (
        f"{line.k:,}", _figure(line.error, 2), _figure(line.tds_error, 2),
        _figure(line.tds_both_error, 2), f"{line.nodes:,}", line.root or "-",
        _figure(line.k_measured, 0), _figure(line.exposed, 2), _figure(line.seconds, 1),
    )  # fmt: skip


def _exposed(line: KadetLine) -> tuple[str, ...]:
    return _figure(line.exposed, 2), _figure(line.error, 2)


def _by_limit(line: KadetLine) -> tuple[str, ...]:
    return (
        f"{line.place:g}", _figure(line.l, 3), _figure(line.error, 2), f"{line.nodes:,}",
        line.root or "-", _figure(line.l_measured, 3), _figure(line.exposed, 2),
        _figure(line.seconds, 1),
    )  # fmt: skip


def _figure(value: float | None, n_digits: int) -> str:
    return "-" if value is None else f"{value:,.{n_digits}f}"
