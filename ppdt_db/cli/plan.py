"""`ppdt plan`: what a run would take."""

from collections.abc import Mapping
from pathlib import Path

import click
import duckdb

from ppdt_db.allowance import MOST_SECONDS
from ppdt_db.cli.command import Command
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.limits import limited
from ppdt_db.cli.terminal import lines, print_json, shown, table
from ppdt_db.cli.underway import underway
from ppdt_db.cli.wishes import job_of, wishing
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.estimate import Plan
from ppdt_db.job import Job
from ppdt_db.methods.contract import Progress, no_progress
from ppdt_db.plan import plan as make_plan

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


@click.command(cls=Command)
@click.argument("source", required=False)
@click.option("--db", help="The DuckDB file that holds the source.")
@csv_option
@wishing()
@click.option("--policy", type=click.Path(path_type=Path), help="Read all of this from YAML.")
@limited()
@click.option("--json", "is_json", is_flag=True, help="The plan on stdout, as JSON.")
def plan(
    policy: Path | None,
    is_json: bool,
    **given: object,
) -> None:
    """Estimate cells, levels, time, memory and disk of a run on SOURCE, from counts and trials."""
    job = job_of(given, policy)
    if job.source is None:
        raise RequestError("name a SOURCE: a table or view of --db, or a Parquet or CSV file.")
    if job.engine == "spark":
        raise RequestError("there is no plan for a run on Spark: its cluster sets the pace.")
    path = Path(job.db) if job.db else None
    with (
        underway(is_json=is_json) as journey,
        session(path, job.limits(), read_only=path is not None) as con,
    ):
        journey.expect({"plan": MOST_SECONDS})
        found = plan_job(con, job, journey.report)
    if is_json:
        print_json({**found.figures(), "values": found.values, **_more(found)})
    else:
        print_plan(found)


def plan_job(con: duckdb.DuckDBPyConnection, job: Job, progress: Progress = no_progress) -> Plan:
    """The plan of a job."""
    return make_plan(con, str(job.source), **job.asked(), csv=job.csv, progress=progress)


def _more(found: Plan) -> dict[str, object]:
    return {
        "memory_wanted_bytes": found.memory_wanted_bytes,
        "how": dict(found.how),
        "advice": list(found.advice),
    }


def print_plan(found: Plan) -> None:
    """A plan as people read it."""
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
    """Return what the estimate stands on beside counts."""
    if not trials:
        return "nothing: a tenth of the run is too short for a trial"
    return f"{' / '.join(f'{n:,}' for n in trials)} rows of {source}"


def _certainty(found: Plan) -> str:
    """How far off the time may be, as far as the trials tell."""
    off_by = found.how["off_by"]
    if not isinstance(off_by, float):
        return ", a rough guess" + ("" if found.how["tried_rows"] else " by counts alone")
    low, high = found.seconds_total / off_by, found.seconds_total * off_by
    return f", perhaps {seconds(low)} to {seconds(high)}"


def seconds(spent: float) -> str:
    """Seconds as people read them."""
    return f"{spent:.1f} s" if spent < 120 else f"{spent / 60:.1f} min"


def print_check(checked: Mapping[str, object]) -> None:
    """The estimate beside the fact."""
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
    lines("plan", ("", "estimate", "fact"), cells)
