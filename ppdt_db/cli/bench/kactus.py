"""`ppdt bench paper kactus`: tables 2 to 6 of Kisilevich et al., beside measured figures."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.bench.kactus_page import add_table
from ppdt_db.cli.bench.options import (
    data_with,
    measuring,
    paged,
    resumable,
    unknown,
    wrong_ks,
)
from ppdt_db.cli.bench.page import Page
from ppdt_db.cli.bench.scaled import add_scaled, scaled_methods, scaling
from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.terminal import Names, print_json, progress
from ppdt_db.errors import RequestError
from ppdt_db.evaluate.plan import read_plan
from ppdt_db.experiments.kactus import KactusRecord, RowChoice, cells_of
from ppdt_db.experiments.kactus_data import (
    DATA,
    KADET,
    KS,
    LEARNERS,
    OURS,
    QUASI,
    SCALING,
    TABLES,
    measured_for,
)
from ppdt_db.experiments.kactus_measure import check_folder, measure
from ppdt_db.experiments.kactus_tables import Compared, compared

TITLE = "Kisilevich et al.: multi-dimensional suppression"


@click.command(cls=PpdtCommand)
@data_with("the data sets")
@click.option("--table", "number", type=click.Choice([str(t) for t in TABLES]), help="Only one.")
@click.option("--only", type=Names(), help="Data sets: a,b,c. Default: all ten.")
@click.option("--qi", "quasis", type=Names(), help=f"Quasi-identifiers: {', '.join(QUASI)}.")
@click.option("--learner", "learners", type=Names(), help=f"Of {', '.join(LEARNERS)}.")
@click.option(
    "--method",
    "methods",
    type=Names(),
    help=f"Of {', '.join(OURS)}. Default: the paper's, and some beside them in tables 2 and 5.",
)
@click.option("--k", "ks", type=Names(), help="Only these, such as 1,5,10; in table 6 sigma.")
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How often all is repeated, each time with another seed.",
)
@click.option("--cv", default="5x2", show_default=True, help="Folds, or REPETITIONSxFOLDS.")
@click.option(
    "--discretized",
    is_flag=True,
    help="First discretize numbers by the class over all rows, as the paper's figures suggest.",
)
@click.option(
    "--rows",
    type=click.Choice(["complete", "all"]),
    default="complete",
    show_default=True,
    help="Of Adult, the rows that miss no value, as in the paper; or all.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Releases measured side by side; --threads and --memory-limit are for each.",
)
@click.option("--known", is_flag=True, help="Measure nothing: show what --resume has.")
@resumable("figure")
@paged
@measuring
def kactus(
    data: Path,
    number: str | None,
    only: list[str] | None,
    quasis: list[str] | None,
    learners: list[str] | None,
    methods: list[str] | None,
    ks: list[str] | None,
    seeds: int,
    cv: str,
    discretized: bool,
    rows: RowChoice,
    jobs: int,
    known: bool,
    resume: Path | None,
    page_path: Path | None,
    threads: int | None,
    memory_limit: str | None,
    is_json: bool,
) -> None:
    """Kisilevich et al.: classifiers trained on releases of kACTUS and its rivals."""
    _check(only, quasis, learners, methods, ks, cv)
    _check_kadet(number, learners, methods)
    if known and resume is None:
        raise RequestError("--known shows what a file has: name it with --resume.")
    record = KactusRecord(resume)
    numbers = [int(number)] if number else list(TABLES)
    wanted_ks = {int(k) for k in ks} if ks else None
    tables: list[Compared] = []
    scaled = []
    chosen = [name for name in DATA if only is None or name in only]
    plan = {
        n: [
            cell
            for cell in cells_of(
                n,
                methods or measured_for(n),
                learners=learners or LEARNERS,
                data=chosen,
                seeds=range(1, seeds + 1),
                discretized=discretized,
                cv=cv,
                rows=rows,
            )
            if (wanted_ks is None or cell.k in wanted_ks)
            and (quasis is None or cell.quasi in quasis)
        ]
        for n in numbers
        if n in KS
    }
    check_folder(data, [cell.data for cells in plan.values() for cell in cells])
    if 6 in numbers:
        check_folder(data, ["adult"])
    with progress(is_quiet=is_json or known) as report:
        for n, cells in plan.items():
            if not known:
                limits = {"threads": threads, "memory_limit": memory_limit}
                measure(data, cells, record, report, jobs=jobs, limits=limits)
            tables.append(compared(n, cells, record))
        if 6 in numbers:
            sigmas = sorted(wanted_ks) if wanted_ks else [sigma for sigma, *_ in SCALING]
            timed = [(sigma, method) for sigma in sigmas for method in scaled_methods(methods)]
            if known:
                timed = [one for one in timed if one in record.scaled]
            scaled = scaling(
                data, timed, record, report, threads=threads, memory_limit=memory_limit
            )
    if is_json:
        print_json({
            "seeds": seeds, "cv": cv, "discretized": discretized, "rows": rows,
            "tables": [asdict(one) for one in tables], "scaling": [asdict(one) for one in scaled],
        })  # fmt: skip
        return
    page = Page(TITLE)
    for one in tables:
        add_table(page, one)
    if scaled:
        add_scaled(page, scaled)
    page.show()
    if page_path is not None:
        page.write(page_path)


def _check(
    only: Sequence[str] | None,
    quasis: Sequence[str] | None,
    learners: Sequence[str] | None,
    methods: Sequence[str] | None,
    ks: Sequence[str] | None,
    cv: str,
) -> None:
    """Raise for everything that is wrong with the request."""
    faults = [*unknown("--only", only, DATA), *unknown("--learner", learners, LEARNERS)]
    faults += [*unknown("--qi", quasis, QUASI), *unknown("--method", methods, OURS)]
    faults += wrong_ks(ks, 1)
    if read_plan(cv).test is not None:
        faults.append(f"--cv {cv}: the tables need cross-validation. Write folds, such as 5x2.")
    if faults:
        raise RequestError(*faults)


def _check_kadet(
    number: str | None, learners: Sequence[str] | None, methods: Sequence[str] | None
) -> None:
    """Raise where kADET alone is asked for what a learner cannot do."""
    if methods != [KADET]:
        return
    faults = []
    if learners and "c45" not in learners:
        faults.append(f"--method {KADET}: its tree is the classifier. Use --learner c45.")
    if number == "6":
        faults.append(f"--method {KADET}: it makes no releases, which table 6 measures. Remove it.")
    if faults:
        raise RequestError(*faults)
