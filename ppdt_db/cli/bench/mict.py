"""`ppdt bench paper mict`: figure 2 of Chettri and Ray, measured."""

from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.bench.options import data_with, measuring, paged, resumable, unknown, wrong_ks
from ppdt_db.cli.bench.page import Page
from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.terminal import Names, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.plot import check_plot, plot
from ppdt_db.experiments.mict import cells_of, measure
from ppdt_db.experiments.mict_data import DATA, KS, MODELS, N_FOLDS, OURS, WAYS, MictResult
from ppdt_db.experiments.mict_table import IL, MictLine, cells_of_text, figures_of, table_of
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn.knn import KNN

NOTE = """\
Accuracy of the nearest neighbours, with the points lost in brackets. PP trains and tests on
perturbed rows, PO tests on original rows, OP trains on those and tests on perturbed rows. Complete
rows, every attribute a quasi-identifier. `whole`: the table is perturbed once, then split into
folds, as the paper seems to do. So training rows are averaged with test rows, and mict sees the
classes of all of them: right for tests on the release itself, too optimistic for new rows. `parts`:
each part of a fold is perturbed separately, including the small one; mict still sees the classes of
test rows where it perturbs them. `nearest`: only the part to train on is perturbed, and a test row
shows the class of it that is nearest: no class of a test row is seen. SSE, IL and seconds are for
the table, or for the nine tenths to train on; `least k` is the k that the audit measured over all
quasi-identifiers (mict-paper and mict-leaf guarantee none), `path k` over the attributes of each
path. Disclosure risk is nearest-record linkage against the release of the whole table: `own class`
are the rows whose nearest class is their own, `own row` those expected to be found if one of its
rows is taken at random."""
TEXT = """\
The paper plots its accuracies without figures. Its text says that the method "does not degrade the
data utility of the microdata sets and achieves data privacy". The cells that are counted are these
words: each model's accuracy of mict-paper against the same folds without anonymization, equal
within the standard error of an accuracy over the rows tested; and k against the least number of
rows that share the attributes of their path."""
HEADS = (
    "data", "rows", "method", "perturbed", "k", "folds", "original %",
    *(f"{model} %" for model in MODELS), "SSE", "IL %", "least k", "path k",
    "own class %", "own row %", "seconds",
)  # fmt: skip


@click.command(cls=PpdtCommand)
@data_with("german_credit.csv and adult_train.csv")
@click.option("--only", type=Names(), help=f"Data sets, of {', '.join(DATA)}. Default: all.")
@click.option(
    "--method",
    "methods",
    type=Names(),
    help=f"Of {', '.join(OURS)}. Default: all; on Adult mict-paper, as the others take long there.",
)
@click.option(
    "--perturb",
    "ways",
    type=Names(),
    default="whole",
    show_default=True,
    help="Perturb the whole table before splitting, the parts of every fold, or the part to train "
    "on, whose nearest class test rows show: whole,parts,nearest.",
)
@click.option("--k", "ks", type=Names(), help="Such as 5,20. Default: 2,5,10,15,20.")
@click.option(
    "--folds",
    type=click.IntRange(min=1, max=N_FOLDS),
    default=N_FOLDS,
    show_default=True,
    help="Number of the ten folds to test on; training always uses nine tenths.",
)
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    help="Number of complete rows to sample, by a seeded hash. Default: all.",
)
@click.option(
    "--neighbours", type=int, default=KNN.k, show_default=True, help="Neighbours of k-NN."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Makes folds and draws repeatable."
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Plot accuracy and IL against k to FILE.svg or FILE.png.",
)
@resumable("fold")
@paged
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
    page_path: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Chettri and Ray: the accuracy of k-NN after MiCT, and after its rivals."""
    _check(only, methods, ways, ks, rows, neighbours)
    if picture is not None:
        check_plot(picture)
    cells = cells_of(
        list(dict.fromkeys(only or DATA)),
        list(dict.fromkeys(methods)) if methods else None,
        sorted({int(k) for k in ks}) if ks else KS,
        n_folds=folds,
        ways=[way for way in WAYS if way in ways],
        rows=rows,
        neighbours=neighbours,
        seed=seed,
    )
    record = ResultsFile(MictResult, resume)
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
    title = f"Models PP, PO, OP; {neighbours}-NN; {folds} of {N_FOLDS} folds; seed {seed}"
    drawn = "" if rows is None else f"; a sample of at most {rows:,} rows"
    page = Page("Chettri and Ray 2015: MiCT")
    page.table(title + drawn, HEADS, [_cells(line) for line in found])
    page.note(NOTE)
    page.cells += cells_of_text(found)
    if page.cells:
        page.note(TEXT)
    page.show()
    if page_path is not None:
        page.write(page_path)


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
            f"--rows {rows}: the test fold must have k={most} rows. Use at least "
            f"{most * N_FOLDS}, or a lower --k."
        )
    if faults:
        raise RequestError(*faults)


def _cells(line: MictLine) -> tuple[str, ...]:
    models = [f"{line.accuracy[model]:.2f} ({-line.lost[model]:+.2f})" for model in MODELS]
    return (
        line.data, f"{line.rows:,}", line.method, str(line.perturbed), str(line.k), str(line.folds),
        f"{line.original:.2f}", *models, _rounded(line.sse, 1), _rounded(line.il, 2),
        "-" if line.least is None else str(line.least),
        "-" if line.path is None else str(line.path), _rounded(line.linked, 1),
        _rounded(line.found, 1), _rounded(line.seconds, 1),
    )  # fmt: skip


def _rounded(value: float | None, n_digits: int) -> str:
    return "-" if value is None else f"{value:,.{n_digits}f}"
