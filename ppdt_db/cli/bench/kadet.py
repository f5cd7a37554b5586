"""`ppdt bench paper kadet`: figures 4 to 8 of Friedman et al., drawn from trees of ours."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.command import Command
from ppdt_db.cli.paper_options import data_with, measuring, wrong_ks
from ppdt_db.cli.terminal import Names, lines, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.papers.kadet import Record, cells_of, measure
from ppdt_db.evaluate.papers.kadet_data import FIGURES, KS, LIMITS
from ppdt_db.evaluate.papers.kadet_figures import Drawn, Line, drawn
from ppdt_db.evaluate.papers.kadet_plot import as_svg
from ppdt_db.evaluate.plot import check_plot, write_plot

NOTE = """\
All attributes are public, the class is private. Errors are over the complete test rows as they are;
a tree of TDS is learnt from its release and tested on rows that are recoded likewise, with NULL for
values that the release never met."""
HEADS = {
    "error": ("k", "error %", "TDS %", "nodes", "root", "k measured", "exposed %", "seconds"),
    "exposed": ("k", "ID3 form: exposed %", "error %", "C4.5 form: exposed %", "error %"),
    "limit": ("limit %", "l", "error %", "nodes", "root", "l measured", "exposed %", "seconds"),
}


@click.command(cls=Command)
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
    help="Every finished tree goes to this file at once, and what stands in it is not repeated: "
    "a file for each folder of data and of hierarchies.",
)
@measuring
def kadet(
    data: Path,
    number: str | None,
    ks: list[str] | None,
    limits: list[str] | None,
    hierarchies: Path | None,
    plot: Path | None,
    resume: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Friedman et al.: trees that are k-anonymous themselves, and TDS."""
    _check(ks, limits)
    if plot is not None:
        check_plot(plot)
    wanted_ks = sorted({int(k) for k in ks}) if ks else KS
    wanted_limits = sorted({float(one) for one in limits}, reverse=True) if limits else LIMITS
    chosen = [FIGURES[int(number)]] if number else list(FIGURES.values())
    cells = {figure.number: cells_of(figure, wanted_ks, wanted_limits) for figure in chosen}
    record = Record(resume)
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
    for one in found:
        _print(one)
    click.echo(NOTE)


def _check(ks: Sequence[str] | None, limits: Sequence[str] | None) -> None:
    """Raise for everything that is wrong at once."""
    faults = wrong_ks(ks, 1)
    faults += [
        f"--limit {one}: write percent between 50 and 100, such as 85."
        for one in limits or ()
        if not one.replace(".", "", 1).isdecimal() or not 50 <= float(one) <= 100
    ]
    if faults:
        raise RequestError(*faults)


def _as_dict(one: Drawn) -> dict[str, object]:
    return {
        "figure": one.figure.number,
        "title": one.figure.title,
        "paper": one.figure.told,
        "original": dict(one.original),
        "points_below_tds": one.below_tds,
        "lines": [asdict(line) for line in one.lines],
    }


def _print(one: Drawn) -> None:
    """A figure: what is without anonymity, a line for each k or limit, what the paper says."""
    title = f"Figure {one.figure.number}: {one.figure.title}"
    if one.figure.axis == "limit":
        lines(title, HEADS["limit"], [_by_limit(line) for line in one.lines])
    elif len(one.figure.forms) > 1:
        by_k: dict[int, list[Line]] = {}
        for line in one.lines:
            by_k.setdefault(line.k, []).append(line)
        cells = [(str(k), *(c for line in own for c in _exposed(line))) for k, own in by_k.items()]
        lines(title, HEADS["exposed"], cells)
    else:
        lines(title, HEADS["error"], [_by_k(line) for line in one.lines])
    plain = ", ".join(f"{name} {error:.2f} %" for name, error in one.original.items())
    if plain:
        click.echo(f"Without anonymity: {plain}.")
    if one.below_tds is not None:
        click.echo(f"On average {one.below_tds:.2f} points below TDS.")
    click.echo(f"The paper: {one.figure.told}.\n")


def _by_k(line: Line) -> tuple[str, ...]:
    return (
        f"{line.k:,}", _figure(line.error, 2), _figure(line.tds_error, 2), f"{line.nodes:,}",
        line.root or "-", _figure(line.k_measured, 0), _figure(line.exposed, 2),
        _figure(line.seconds, 1),
    )  # fmt: skip


def _exposed(line: Line) -> tuple[str, ...]:
    return _figure(line.exposed, 2), _figure(line.error, 2)


def _by_limit(line: Line) -> tuple[str, ...]:
    return (
        f"{line.place:g}", _figure(line.l, 3), _figure(line.error, 2), f"{line.nodes:,}",
        line.root or "-", _figure(line.l_measured, 3), _figure(line.exposed, 2),
        _figure(line.seconds, 1),
    )  # fmt: skip


def _figure(value: float | None, n_digits: int) -> str:
    return "-" if value is None else f"{value:,.{n_digits}f}"
