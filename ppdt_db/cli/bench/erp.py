"""`ppdt bench paper erp`: table 2 of Yang et al., published figures beside measured ones."""

from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.bench.options import data_with, measuring, paged, resumable, unknown, wrong_ks
from ppdt_db.cli.bench.page import Page
from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.terminal import Names, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.experiments.erp import ErpResult, cells_of, measure
from ppdt_db.experiments.erp_data import ALL, DATA, KS, N_FOLDS, TREES
from ppdt_db.experiments.erp_table import ErpLine, compared, table_of
from ppdt_db.experiments.results_file import ResultsFile

TITLE = "Yang et al.: error-risk pruning and tiered generalization"
NOTE = """\
ours / theirs. Seconds are for one anonymization of nine tenths of the rows, with its audit and its
rules. GCP is that of this release. The error is that of C4.5 trained on it.
Errors by the paper's protocol: the tree leads the test rows to their groups, and each group is
generalized by itself; nobody is withheld. This column is compared.
Errors by our protocol: the rules of the release recode a test row to its class if the label of the
class contains the row, and withhold it otherwise: `shown` is over the rows that are shown,
`withheld` the share of the others, and `untouched` is over all test rows as they are.
Seconds are not counted: the machines differ."""
HEADS = (
    "data", "k", "method", "folds", "seconds", "GCP", "error %, paper's protocol",
    "error %, shown", "withheld %", "error %, untouched",
)  # fmt: skip


@click.command(cls=PpdtCommand)
@data_with("cmc.csv, adult_train.csv and adult_test.csv")
@click.option("--only", type=Names(), help=f"Data sets, of {', '.join(DATA)}. Default: all.")
@click.option("--method", "methods", type=Names(), help=f"Of {', '.join(ALL)}. Default: all.")
@click.option("--k", "ks", type=Names(), help="Such as 10,30. Default: the paper's 10,20,30.")
@click.option(
    "--folds",
    type=click.IntRange(min=1, max=N_FOLDS),
    default=N_FOLDS,
    show_default=True,
    help="Number of the ten folds to test on; training always uses nine tenths.",
)
@click.option(
    "--tree",
    type=click.Choice(list(TREES)),
    default="narrow",
    show_default=True,
    help="How trees are grown: a branch for each value, --binary, or --binary --narrow.",
)
@click.option(
    "--min-rows",
    type=click.IntRange(min=1),
    help="Minimum rows in the branches of trees before pruning. Default: the method's own.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Makes folds and draws repeatable."
)
@resumable("fold")
@paged
@measuring
def erp(
    data: Path,
    only: list[str] | None,
    methods: list[str] | None,
    ks: list[str] | None,
    folds: int,
    tree: str,
    min_rows: int | None,
    seed: int,
    resume: Path | None,
    page_path: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Yang et al.: error-risk pruning and tiered generalization, and Mondrian."""
    _check(only, methods, ks)
    wanted_ks = [int(k) for k in ks] if ks else KS
    cells = cells_of(
        only or DATA,
        methods or ALL,
        wanted_ks,
        seed=seed,
        n_folds=folds,
        tree=tree,
        min_rows=min_rows,
    )
    record = ResultsFile(ErpResult, resume)
    with (
        connect(None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=is_json) as report,
    ):
        measure(con, data, cells, record, report)
    found = table_of(cells, record)
    if is_json:
        print_json(
            {
                "table": 2,
                "tree": tree,
                "min_rows": min_rows,
                "lines": [asdict(line) for line in found],
            }
        )
        return
    page = Page(TITLE)
    page.table(
        f"Table 2 (trees: {tree}{'' if min_rows is None else f', min_rows {min_rows}'})",
        HEADS,
        [_cells(line) for line in found],
    )
    page.note(NOTE)
    page.cells = [cell for line in found for cell in compared(line)]
    page.show()
    if page_path is not None:
        page.write(page_path)


def _check(only: list[str] | None, methods: list[str] | None, ks: list[str] | None) -> None:
    """Raise for everything that is wrong at once."""
    faults = [*unknown("--only", only, DATA), *unknown("--method", methods, ALL), *wrong_ks(ks, 2)]
    if faults:
        raise RequestError(*faults)


def _cells(line: ErpLine) -> tuple[str, ...]:
    return (
        line.data, str(line.k), line.method, str(line.folds),
        _both(line.seconds, line.their_seconds, 1), _both(line.gcp, line.their_gcp, 4),
        _both(line.error, line.their_error, 2), _figure(line.error_shown, 2),
        f"{line.withheld:.2f}", f"{line.error_untouched:.2f}",
    )  # fmt: skip


def _both(ours: float | None, theirs: float | None, n_digits: int) -> str:
    """Return our figure beside the paper's, with a dash for a missing one."""
    return f"{_figure(ours, n_digits)} / {_figure(theirs, n_digits)}"


def _figure(value: float | None, n_digits: int) -> str:
    return "-" if value is None else f"{value:.{n_digits}f}"
