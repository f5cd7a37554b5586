"""`ppdt bench`: how fast, how much memory and disk; and the experiments of papers."""

import tempfile
from pathlib import Path

import click

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.bench_trees import scaled, trees
from ppdt_db.cli.command import Group
from ppdt_db.cli.journey import Journey
from ppdt_db.cli.limits import limited, limits_of
from ppdt_db.cli.paper import paper
from ppdt_db.cli.terminal import lines, print_json, table
from ppdt_db.cli.underway import underway
from ppdt_db.engine import DuckEngine, Limits, session
from ppdt_db.gauge import Gauge
from ppdt_db.methods import Mondrian
from ppdt_db.partition import CRITERIA

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
    """Measure."""


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
    help="May be repeated: then a table of how everything grows.",
)
@click.option("--k", type=int, default=10, show_default=True)
@click.option("--criterion", type=click.Choice(CRITERIA), default="balanced", show_default=True)
@limited(has_db=False)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Where the data lies meanwhile. Default: the system's temporary folder.",
)
@click.option("--json", "is_json", is_flag=True)
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
                DuckEngine(con).copy("bench/census", source, "parquet", names={"rows": n_rows})
            with underway(is_json=is_json) as journey:
                found.append(_measured(source, method, limits, journey))
    if is_json:
        print_json(found[0] if len(found) == 1 else {"runs": found})
    elif len(found) == 1:
        _print_one(found[0])
    else:
        _print_growth(found)


def _measured(
    source: Path, method: Mondrian, limits: Limits, journey: Journey
) -> dict[str, object]:
    """One run, from Parquet to audited Parquet, and what it took."""
    out = source.with_name("anonymous.parquet")
    with (
        session(None, limits) as con,
        Gauge(journey.report, DuckEngine(con).temp_directory) as gauge,
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
    """How time, memory and disk grow with the rows."""
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
