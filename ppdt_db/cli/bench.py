"""`ppdt bench`: how fast, how much memory; and the experiments of papers."""

import resource
import tempfile
from pathlib import Path

import click

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.bench_trees import scaled, trees
from ppdt_db.cli.paper import paper
from ppdt_db.cli.terminal import print_json, progress, table
from ppdt_db.cli.watch import Watch
from ppdt_db.engine import DuckEngine, connect
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


@click.group()
def bench() -> None:
    """Measure."""


bench.add_command(trees)
bench.add_command(scaled)
bench.add_command(paper)


@bench.command()
@click.option("--rows", type=click.IntRange(min=20), default=1_000_000, show_default=True)
@click.option("--k", type=int, default=10, show_default=True)
@click.option("--criterion", type=click.Choice(CRITERIA), default="balanced", show_default=True)
@click.option("--threads", type=click.IntRange(min=1))
@click.option("--memory-limit", help="Such as 4GB.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Where the data lies meanwhile. Default: the system's temporary folder.",
)
@click.option("--json", "is_json", is_flag=True)
def speed(
    rows: int,
    k: int,
    criterion: str,
    threads: int | None,
    memory_limit: str | None,
    folder: Path | None,
    is_json: bool,
) -> None:
    """Anonymize census-like data from Parquet to Parquet; time every stage."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        source, out = Path(place, "census.parquet"), Path(place, "anonymous.parquet")
        with connect(None, threads=threads, memory_limit=memory_limit) as con:
            DuckEngine(con).copy("bench/census", source, "parquet", names={"rows": rows})
        with (
            connect(None, threads=threads, memory_limit=memory_limit) as con,
            progress(is_quiet=is_json) as report,
        ):
            watch = Watch(report)
            release = anonymize(
                con,
                source,
                quasi=QUASI,
                sensitive=["diagnosis"],
                method=Mondrian(k=k, criterion=criterion),  # type: ignore[arg-type]
                out=out,
                seed=1,
                progress=watch,
            )
            watch.stop()
        result: dict[str, object] = {
            "rows": rows,
            "k": k,
            "criterion": criterion,
            "classes": release.certificate["classes"],
            "gcp": release.certificate["gcp"],
            "seconds": watch.seconds,
            "seconds_total": round(sum(watch.seconds.values()), 3),
            "rows_per_second": round(rows / sum(watch.seconds.values())),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "bytes_in": source.stat().st_size,
            "bytes_out": out.stat().st_size,
            "versions": release.certificate["versions"],
        }
    if is_json:
        print_json(result)
        return
    stages = [(f"  {stage}", f"{seconds:.2f} s") for stage, seconds in watch.seconds.items()]
    shown = [
        (name.replace("_", " "), value) for name, value in result.items() if name not in HIDDEN
    ]
    table("speed", [*shown, *stages])


HIDDEN = ("seconds", "versions")
