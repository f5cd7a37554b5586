"""`ppdt plan`: estimate a run."""

from collections.abc import Mapping
from pathlib import Path

import click
import duckdb

from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.job import Job
from ppdt_db.cli.progress_display import show_progress
from ppdt_db.cli.release_options import job_of, release_options
from ppdt_db.cli.resource_options import limited
from ppdt_db.cli.terminal import lines, print_json, shown, table
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.plan.allowance import MOST_SECONDS
from ppdt_db.plan.api import plan as make_plan
from ppdt_db.plan.estimate import Plan
from ppdt_db.progress import Progress, no_progress

MEGABYTE = 2**20
CHECKED = {
    "rows": "rows",
    "cells": "cells",
    "levels": "levels",
    "seconds_total": "seconds",
    "work_seconds_total": "processor seconds",
    "memory_bytes": "memory MB",
    "temp_disk_bytes": "temporary disk MB",
}


@click.command(cls=PpdtCommand)
@click.argument("source", required=False)
@click.option("--db", help="DuckDB database file with the source.")
@csv_option
@release_options()
@click.option(
    "--policy", type=click.Path(path_type=Path), help="Read these options from a YAML file."
)
@limited()
@click.option("--json", "is_json", is_flag=True, help="Print the plan as JSON.")
def plan(
    policy: Path | None,
    is_json: bool,
    **given: object,
) -> None:
    """Estimate cells, levels, time, memory and disk of a run on SOURCE from counts and trials."""
    job = job_of(given, policy)
    if job.source is None:
        raise RequestError(
            "no SOURCE given: name a table or view of --db, or a Parquet or CSV file."
        )
    if job.engine == "spark":
        raise RequestError("ppdt plan is not supported on Spark; use DuckDB.")
    path = Path(job.db) if job.db else None
    with (
        show_progress(is_json=is_json) as shown_progress,
        session(path, job.limits(), read_only=path is not None) as con,
    ):
        shown_progress.expect({"plan": MOST_SECONDS})
        found = plan_job(con, job, shown_progress.report)
    if is_json:
        print_json({**found.figures(), "values": found.values, **_more(found)})
    else:
        print_plan(found)


def plan_job(con: duckdb.DuckDBPyConnection, job: Job, progress: Progress = no_progress) -> Plan:
    """Return the plan of a job."""
    return make_plan(con, str(job.source), **job.run_arguments(), csv=job.csv, progress=progress)


def _more(found: Plan) -> dict[str, object]:
    return {
        "memory_wanted_bytes": found.memory_wanted_bytes,
        "how": dict(found.how),
        "advice": list(found.advice),
    }


def print_plan(found: Plan) -> None:
    """Print a plan for people."""
    about = "" if found.how["counts"] == "exact" else "about "
    trials = found.how["tried_rows"]
    assert isinstance(trials, list)
    rows: list[tuple[str, object]] = [
        ("rows", found.rows),
        ("cells", f"{about}{found.cells:,}"),
        *([("levels", f"about {found.levels}")] if found.levels else []),
        ("time", f"about {seconds(found.seconds_total)}{_certainty(found)}"),
        *((f"  {stage}", seconds(spent)) for stage, spent in found.seconds.items()),
        ("memory", f"about {found.memory_bytes // MEGABYTE:,} MB"),
        ("temporary disk", f"about {found.disk_bytes // MEGABYTE:,} MB"),
        ("plan took", f"{found.how['plan_seconds']:.1f} processor seconds"),
        ("tried on", _tried_on(trials, found.how["tried_from"])),
    ]
    table("plan", rows)
    values = [(name, f"{about}{n_values:,}") for name, n_values in found.values.items()]
    table("values", values)
    for line in found.advice:
        click.echo(line)


def _tried_on(trials: list[object], source: object) -> str:
    """Return the basis of the estimate besides counts."""
    if not trials:
        return "nothing: the run is too short for trials"
    return f"{' / '.join(f'{n:,}' for n in trials)} rows of {source}"


def _certainty(found: Plan) -> str:
    """Return the likely range of the time, if the trials tell."""
    off_by = found.how["off_by"]
    if not isinstance(off_by, float):
        return ", a rough guess" + ("" if found.how["tried_rows"] else " from counts alone")
    low, high = found.seconds_total / off_by, found.seconds_total * off_by
    return f", likely {seconds(low)} to {seconds(high)}"


def seconds(spent: float) -> str:
    """Return seconds as text for people."""
    return f"{spent:.1f} s" if spent < 120 else f"{spent / 60:.1f} min"


def print_check(checked: Mapping[str, object]) -> None:
    """Print the estimate beside the measured figures."""
    estimate, fact = checked["estimate"], checked["fact"]
    assert isinstance(estimate, dict) and isinstance(fact, dict)
    cells = []
    for name, title in CHECKED.items():
        both = [estimate[name], fact[name]]
        if name == "levels" and not any(both):
            continue
        if name.endswith("bytes"):
            both = [round(value / MEGABYTE) for value in both]
        cells.append((title, *map(shown, both)))
    lines("plan", ("", "estimate", "measured"), cells)
