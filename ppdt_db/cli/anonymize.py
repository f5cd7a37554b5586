"""`ppdt anonymize`."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import click
import duckdb

from ppdt_db.anonymize import anonymize as run_anonymize
from ppdt_db.cli.command import Command, is_quiet
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.journey import Journey
from ppdt_db.cli.limits import limited
from ppdt_db.cli.plan import plan_job, print_check
from ppdt_db.cli.script import script
from ppdt_db.cli.terminal import Names, certificate_table, print_json, warn
from ppdt_db.cli.underway import underway
from ppdt_db.cli.wishes import job_of, wishing
from ppdt_db.engine import ENGINES, session
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.estimate import Plan
from ppdt_db.job import Job
from ppdt_db.json_text import as_json
from ppdt_db.policy import raise_all
from ppdt_db.publish import Release
from ppdt_db.source import files_of
from ppdt_db.whole_file import write_whole


@click.command(cls=Command)
@click.argument("source", required=False)
@click.option("--db", help="The DuckDB file that holds the source, and the release of --into.")
@csv_option
@click.option("--engine", type=click.Choice(ENGINES), help="Where it runs. Default: duckdb.")
@wishing()
@click.option("--pseudonym-key-file", help="File with the key (or set PPDT_PSEUDONYM_KEY).")
@click.option(
    "--link-pseudonyms",
    is_flag=True,
    default=None,
    help="Same pseudonyms in every release under this key.",
)
@click.option("--out", help="Write the release to FILE.parquet, .csv or .duckdb.")
@click.option("--into", help="Make the release a view of this name in the database.")
@click.option("--live", is_flag=True, default=None, help="A view that follows the source.")
@click.option("--accept", type=Names(), help="Weaker promises that you accept, by their names.")
@click.option(
    "--max-kept-uniqueness",
    type=float,
    help="Release nothing where more rows (a share) are unique on what is kept.",
)
@click.option("--max-loss", type=float, help="Release nothing where more (GCP, a share) is lost.")
@click.option("--replace", is_flag=True, default=None, help="Replace a release of that name.")
@click.option("--certificate", help="Write the certificate to this JSON file.")
@click.option("--rules", help="Write what `ppdt apply` needs to FILE.duckdb: secret as the source.")
@click.option("--policy", type=click.Path(path_type=Path), help="Read all of this from YAML.")
@click.option("--seed", type=int, help="Makes random draws repeatable.")
@limited()
@click.option("--plan", "is_planned", is_flag=True, help="Estimate first; fact beside it after.")
@click.option("--read-only", is_flag=True, help="Open the database for reading only.")
@click.option("--json", "is_json", is_flag=True, help="The certificate on stdout, as JSON.")
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def anonymize(
    policy: Path | None,
    is_planned: bool,
    read_only: bool,
    is_json: bool,
    sql_log: Path | None,
    **given: object,
) -> None:
    """Anonymize SOURCE: a table or view of --db, or a Parquet or CSV file (or a glob)."""
    job = job_of(given, policy)
    if job.source is None:
        raise RequestError("name a SOURCE: a table or view of --db, or a Parquet or CSV file.")
    raise_all(_engine_faults(job, read_only=read_only))
    if job.into is not None and job.db is None and job.engine != "spark":
        raise RequestError("--into makes a view in a database: name its file with --db.")
    _check_files(job, policy, sql_log)
    with underway(is_json=is_json) as journey:
        release = run_job(
            job,
            read_only=read_only,
            sql_log=sql_log,
            journey=journey,
            is_planned=is_planned,
            policy_name=policy.name if policy else None,
        )
    with _telling(release):
        warn(release.warnings)
        if job.certificate is not None:
            _write_certificate(Path(job.certificate), release)
        if is_json:
            print_json(release.certificate)
        elif not is_quiet():
            click.echo(f"released {release.name}\n")
            certificate_table(release.certificate)
            if is_planned:
                print_check(release.certificate["plan"])  # type: ignore[arg-type]


@contextmanager
def _telling(release: Release) -> Iterator[None]:
    """What goes wrong while a release is told of does not take it back."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, KeyboardInterrupt) as error:
        why = error.strerror if isinstance(error, OSError) else "the run was interrupted"
        raise EngineError(
            f"{release.name} is released, but its certificate was not told to the end: {why}."
        ) from None


def _engine_faults(job: Job, *, read_only: bool) -> list[str]:
    """What says nothing to Spark, whose session has its own settings."""
    if job.engine not in (None, *ENGINES):
        return [f"engine {job.engine}: choose one of {', '.join(ENGINES)}."]
    if job.engine != "spark":
        return []
    given = {
        "--db": job.db,
        "--db-key-file": job.db_key_file,
        "--threads": job.threads,
        "--memory-limit": job.memory_limit,
        "--temp-directory": job.temp_directory,
        "--encrypt-temp": job.encrypt_temp,
        "--read-only": read_only,
    }
    return [
        f"{option} is for DuckDB. Leave it out; what Spark may use, spark-submit or "
        "spark-defaults.conf say."
        for option, value in given.items()
        if value
    ]


def _check_files(job: Job, policy: Path | None, sql_log: Path | None) -> None:
    """Refuse to write over what is read, or twice to one place, before any file is opened."""
    named = [job.db, job.db_key_file, job.pseudonym_key_file, policy]
    orders = [order for order in job.order.values() if isinstance(order, str)]
    trees = [tree for tree in job.hierarchy.values() if isinstance(tree, str)]
    read = {Path(file).resolve() for file in [*named, *orders, *trees] if file}
    read |= {file.resolve() for file in files_of(str(job.source))}
    taken: set[Path] = set()
    faults: list[str] = []
    for option, given in (
        ("--out", job.out),
        ("--certificate", job.certificate),
        ("--rules", job.rules),
        ("--sql-log", sql_log),
    ):
        if given is None:
            continue
        path = Path(given)
        place = path.resolve()
        if place in read:
            faults.append(f"{option} {path}: this file is read in this run. Take another one.")
        elif place in taken:
            faults.append(f"{option} {path}: two things cannot be written to one file.")
        elif option not in ("--out", "--rules") and not path.parent.is_dir():
            faults.append(f"{option} {path}: the folder does not exist. Make it first.")
        elif option not in ("--out", "--rules") and (path.is_dir() or not _is_writable(path)):
            faults.append(f"{option} {path}: this cannot be written to.")
        taken.add(place)
    raise_all(faults)


def _is_writable(path: Path) -> bool:
    return os.access(path if path.exists() else path.parent, os.W_OK)


def _write_certificate(path: Path, release: Release) -> None:
    try:
        write_whole(path, as_json(release.certificate) + "\n")
    except OSError as error:
        raise EngineError(
            f"{release.name} is released, but its certificate cannot be written to {path}: "
            f"{error.strerror}."
        ) from None


def run_job(
    job: Job,
    *,
    read_only: bool,
    sql_log: Path | None,
    journey: Journey,
    is_planned: bool,
    policy_name: str | None = None,
) -> Release:
    """Open the database and run a job in it."""
    with ExitStack() as stack:
        con: duckdb.DuckDBPyConnection | None = None
        if job.engine != "spark":
            con = stack.enter_context(
                session(Path(job.db) if job.db else None, job.limits(), read_only=read_only)
            )
        log = stack.enter_context(script(sql_log))
        journey.report("plan" if is_planned else "read", 0.0)
        foreseen: Plan | bool = is_planned
        if is_planned and con is not None:
            # What is wrong with the request, the run says: all of it at once.
            with suppress(RequestError):
                foreseen = plan_job(con, job, journey.report)
                journey.expect(foreseen.seconds)
        return run_anonymize(
            con,
            str(job.source),
            **job.asked(),
            into=job.into,
            out=job.out,
            live=job.live,
            replace=job.replace,
            accept=job.accept,
            seed=job.seed,
            pseudonym_key=job.pseudonym_key() if job.pseudonymize else None,
            link_pseudonyms=job.link_pseudonyms,
            max_kept_uniqueness=job.max_kept_uniqueness,
            max_loss=job.max_loss,
            policy_name=policy_name,
            previous=Path(job.certificate) if job.certificate else None,
            rules=job.rules or False,
            plan=foreseen,
            progress=journey.report,
            sql_log=log,
            engine=job.engine,
            csv=job.csv,
        )
