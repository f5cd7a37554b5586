"""`ppdt bench paper mict`: figure 2 of Chettri and Ray, measured."""

from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.command import Command
from ppdt_db.cli.paper_options import data_with, measuring, resumable, unknown, wrong_ks
from ppdt_db.cli.terminal import Names, lines, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.papers.mict import Record, cells_of, measure
from ppdt_db.evaluate.papers.mict_data import DATA, KS, MODELS, N_FOLDS, OURS, WAYS
from ppdt_db.evaluate.papers.mict_table import IL, Line, figures_of, table_of
from ppdt_db.evaluate.plot import check_plot, plot
from ppdt_db.learn.knn import KNN

NOTE = """\
Accuracy of the nearest neighbours, with the points lost in brackets. PP learns from perturbed rows
and tests on perturbed rows, PO tests on the original ones, OP learns from those and tests on
perturbed rows. The paper draws its accuracies and prints none: nothing of it can stand beside ours.
Complete rows, every attribute a quasi-identifier. `whole`: the table is perturbed once, then dealt
to folds, as the paper seems to do it. So rows that are learnt from are averages with rows that are
tested, and mict saw the classes of them all: right for tests on the release itself, too good for
new rows. `parts`: each part of a fold is perturbed by itself, the small one too; mict still sees
the classes of tested rows where it perturbs them. SSE, IL and seconds are of the table, or of the
nine tenths that are learnt from; `least k` is what the audit measured over all quasi-identifiers
(`mict-paper` promises none)."""
HEADS = (
    "data", "rows", "method", "perturbed", "k", "folds", "original %",
    *(f"{model} %" for model in MODELS), "SSE", "IL %", "least k", "seconds",
)  # fmt: skip


@click.command(cls=Command)
@data_with("german_credit.csv and adult_train.csv")
@click.option("--only", type=Names(), help=f"Data sets, of {', '.join(DATA)}. Default: all.")
@click.option("--method", "methods", type=Names(), help=f"Of {', '.join(OURS)}. Default: all.")
@click.option(
    "--perturb",
    "ways",
    type=Names(),
    default="whole",
    show_default=True,
    help="The whole table before it is dealt to folds, or the parts of every fold: whole,parts.",
)
@click.option("--k", "ks", type=Names(), help="Such as 5,20. Default: 2,5,10,15,20.")
@click.option(
    "--folds",
    type=click.IntRange(min=1, max=N_FOLDS),
    default=N_FOLDS,
    show_default=True,
    help="How many of the ten folds to test on; always nine tenths are learnt from.",
)
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    help="Draw so many of the complete rows, by a hash under the seed. Default: all.",
)
@click.option("--neighbours", type=int, default=KNN.k, show_default=True, help="Of k-NN.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw accuracy and IL against k, to FILE.svg or FILE.png.",
)
@resumable("fold")
@measuring
def mict(
    data: Path,
    only: list[str] | None,
    methods: list[str] | None,
    ways: list[str],
    ks: list[str] | None,
    folds: int,
    rows: int | None,
    neighbours: int,
    seed: int,
    picture: Path | None,
    resume: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Chettri and Ray: what MiCT leaves of k-NN, and rivals beside it."""
    _check(only, methods, ways, ks, rows, neighbours)
    if picture is not None:
        check_plot(picture)
    cells = cells_of(
        list(dict.fromkeys(only or DATA)),
        list(dict.fromkeys(methods or OURS)),
        sorted({int(k) for k in ks}) if ks else KS,
        n_folds=folds,
        ways=[way for way in WAYS if way in ways],
        rows=rows,
        neighbours=neighbours,
        seed=seed,
    )
    record = Record(resume)
    with (
        connect(None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=is_json) as report,
    ):
        measure(con, data, cells, record, report)
    if picture is not None:
        plot(figures_of(cells, record), picture, IL)
    found = table_of(cells, record)
    if is_json:
        print_json({
            "folds_of_ten": folds, "rows": rows, "neighbours": neighbours, "seed": seed,
            "lines": [asdict(line) for line in found],
        })  # fmt: skip
        return
    title = f"Models PP, PO, OP; {neighbours}-NN; {folds} of {N_FOLDS} folds"
    drawn = "" if rows is None else f"; a sample of at most {rows:,} rows"
    lines(title + drawn, HEADS, [_cells(line) for line in found])
    click.echo(NOTE)


def _check(
    only: list[str] | None,
    methods: list[str] | None,
    ways: list[str],
    ks: list[str] | None,
    rows: int | None,
    neighbours: int,
) -> None:
    """Raise for everything that is wrong at once."""
    faults = [*unknown("--only", only, DATA), *unknown("--method", methods, OURS)]
    faults += [*unknown("--perturb", ways, WAYS), *wrong_ks(ks, 2)]
    faults += [f"--neighbours {fault}" for fault in KNN(k=neighbours).faults]
    most = max((int(k) for k in ks or () if not wrong_ks([k], 2)), default=max(KS))
    if rows is not None and rows < most * N_FOLDS:
        faults.append(
            f"--rows {rows}: the tenth to test on must hold k={most} rows. Take at least "
            f"{most * N_FOLDS}, or a lower --k."
        )
    if faults:
        raise RequestError(*faults)


def _cells(line: Line) -> tuple[str, ...]:
    models = [f"{line.accuracy[model]:.2f} ({-line.lost[model]:+.2f})" for model in MODELS]
    return (
        line.data, f"{line.rows:,}", line.method, str(line.perturbed), str(line.k), str(line.folds),
        f"{line.original:.2f}", *models, _told(line.sse, 1), _told(line.il, 2),
        "-" if line.least is None else str(line.least), _told(line.seconds, 1),
    )  # fmt: skip


def _told(value: float | None, n_digits: int) -> str:
    return "-" if value is None else f"{value:,.{n_digits}f}"
