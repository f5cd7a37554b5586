"""`ppdt bench`: measure speed, memory and disk, and repeat the experiments of papers."""

import tempfile
from pathlib import Path

import click

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.bench.paper import paper
from ppdt_db.cli.bench.trees import scaled, trees
from ppdt_db.cli.command import Group
from ppdt_db.cli.progress_display import show_progress
from ppdt_db.cli.progress_model import RunProgress
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.terminal import lines, print_json, table
from ppdt_db.cost.monitor import ResourceMonitor
from ppdt_db.engine import DuckEngine, Limits, session
from ppdt_db.methods import OPTIONS, Mondrian

QUASI = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "occupation",
    "race",
    "sex",
    "native_country",
    "hours_per_week",
]
MEGABYTE = 2**20


@click.group(cls=Group)
def bench() -> None:
    """Measure speed, and repeat the experiments of papers."""


bench.add_command(trees)
bench.add_command(scaled)
bench.add_command(paper)


@bench.command()
@click.option(
    "--rows",
    type=click.IntRange(min=20),
    multiple=True,
    default=[1_000_000],
    show_default=True,
    help="Number of rows; repeat it for a table of how costs grow.",
)
@click.option("--k", type=int, default=10, show_default=True, help="Rows in each class.")
@click.option(
    "--criterion",
    type=click.Choice(OPTIONS["criterion"].words),
    default="balanced",
    show_default=True,
    help="How Mondrian chooses its cuts.",
)
@limited(has_db=False)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Directory for the data. Default: the system's temporary directory.",
)
@click.option("--json", "is_json", is_flag=True, help="Everything on stdout, as JSON.")
def speed(
    rows: tuple[int, ...],
    k: int,
    criterion: str,
    folder: Path | None,
    is_json: bool,
    **given: object,
) -> None:
    """Anonymize census-like data from Parquet to Parquet; time every stage."""
    limits = limits_of(given)
    method = Mondrian(k=k, criterion=criterion)  # type: ignore[arg-type]
    found: list[dict[str, object]] = []
    for n_rows in sorted(rows):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            source = Path(place, "census.parquet")
            with session(None, limits) as con:
                DuckEngine(con).copy(
                    "tools/bench/census", source, "parquet", names={"rows": n_rows}
                )
            with show_progress(is_json=is_json) as run_progress:
                found.append(_measured(source, method, limits, run_progress))
    if is_json:
        print_json(found[0] if len(found) == 1 else {"runs": found})
    elif len(found) == 1:
        _print_one(found[0])
    else:
        _print_growth(found)


def _measured(
    source: Path, method: Mondrian, limits: Limits, run_progress: RunProgress
) -> dict[str, object]:
    """Run once from Parquet to audited Parquet, and return the measured cost."""
    out = source.with_name("anonymous.parquet")
    with (
        session(None, limits) as con,
        ResourceMonitor(run_progress.report, DuckEngine(con).temp_directory) as gauge,
    ):
        release = anonymize(
            con,
            source,
            quasi=QUASI,
            sensitive=["diagnosis"],
            method=method,
            out=out,
            seed=1,
            progress=gauge,
        )
    taken, certificate = gauge.taken, release.certificate
    n_rows = certificate["rows_in"]
    assert isinstance(n_rows, int)
    return {
        "rows": n_rows,
        "k": method.k,
        "criterion": method.criterion,
        "classes": certificate["classes"],
        "gcp": certificate["gcp"],
        "seconds": taken.seconds,
        "seconds_total": taken.seconds_total,
        "rows_per_second": round(n_rows / taken.seconds_total),
        "peak_memory_mb": taken.memory_bytes // MEGABYTE,
        "peak_temp_disk_mb": taken.disk_bytes // MEGABYTE,
        "bytes_in": source.stat().st_size,
        "bytes_out": out.stat().st_size,
        "versions": certificate["versions"],
    }


HIDDEN = ("seconds", "versions")


def _print_one(result: dict[str, object]) -> None:
    seconds = result["seconds"]
    assert isinstance(seconds, dict)
    stages = [(f"  {stage}", f"{spent:.2f} s") for stage, spent in seconds.items()]
    shown = [
        (name.replace("_", " "), value) for name, value in result.items() if name not in HIDDEN
    ]
    table("speed", [*shown, *stages])


HEADS = ("rows", "seconds", "times the first", "rows times", "memory MB", "temporary disk MB")


def _print_growth(found: list[dict[str, object]]) -> None:
    """Print how time, memory and disk grow with the rows."""
    first_rows, first_seconds = (float(str(found[0][name])) for name in ("rows", "seconds_total"))
    cells = [
        (
            f"{one['rows']:,}", f"{one['seconds_total']:,.1f}",
            f"{float(str(one['seconds_total'])) / first_seconds:,.1f}",
            f"{float(str(one['rows'])) / first_rows:,.1f}",
            f"{one['peak_memory_mb']:,}", f"{one['peak_temp_disk_mb']:,}",
        )
        for one in found
    ]  # fmt: skip
    lines("speed", HEADS, cells)
