"""`ppdt anonymize`."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import click
import duckdb

from ppdt_db.anonymize import anonymize as run_anonymize
from ppdt_db.cli.command import PpdtCommand, is_quiet
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.job import Job
from ppdt_db.cli.plan import plan_job, print_check
from ppdt_db.cli.progress_display import show_progress
from ppdt_db.cli.progress_model import RunProgress
from ppdt_db.cli.release_options import job_of, release_options
from ppdt_db.cli.resource_options import limited
from ppdt_db.cli.script import script
from ppdt_db.cli.terminal import Names, certificate_table, print_json, warn
from ppdt_db.engine import ENGINES, session
from ppdt_db.engine.atomic_file import write_atomically
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.methods import METHODS
from ppdt_db.plan.estimate import Plan
from ppdt_db.policy.roles import raise_all
from ppdt_db.release.publish import Release
from ppdt_db.source.source import files_of
from ppdt_db.sqltext.json_text import as_json


@click.command(cls=PpdtCommand)
@click.argument("source", required=False)
@click.option("--db", help="DuckDB database file with the source, and for --into.")
@csv_option
@click.option("--engine", type=click.Choice(ENGINES), help="Engine to run on. Default: duckdb.")
@release_options()
@click.option("--pseudonym-key-file", help="File with the key (or set PPDT_PSEUDONYM_KEY).")
@click.option(
    "--link-pseudonyms",
    is_flag=True,
    default=None,
    help="Use the same pseudonyms in every release with this key.",
)
@click.option("--out", help="Write the release to FILE.parquet, .csv or .duckdb.")
@click.option("--into", help="Create the release as a view of this name in the database.")
@click.option(
    "--live", is_flag=True, default=None, help="Create a view that follows changes of the source."
)
@click.option("--accept", type=Names(), help="Risks and weaker guarantees to accept, by name.")
@click.option(
    "--max-kept-uniqueness",
    type=float,
    help="Fail if a larger share of rows is unique by the kept columns.",
)
@click.option(
    "--max-loss", type=float, help="Fail if the information loss (GCP, 0 to 1) is higher."
)
@click.option(
    "--replace", is_flag=True, default=None, help="Replace an existing release of that name."
)
@click.option("--certificate", help="Write the certificate to this JSON file.")
@click.option(
    "--rules",
    help="Write the rules for `ppdt apply` to FILE.duckdb (as confidential as the source).",
)
@click.option(
    "--tree-out",
    help="erp: write the pruned tree to this JSON file (as confidential as the source).",
)
@click.option(
    "--policy", type=click.Path(path_type=Path), help="Read these options from a YAML file."
)
@click.option("--seed", type=int, help="Random seed, for repeatable results.")
@limited()
@click.option(
    "--plan", "is_planned", is_flag=True, help="Estimate the run first, and compare afterwards."
)
@click.option("--read-only", is_flag=True, help="Open the database for reading only.")
@click.option("--json", "is_json", is_flag=True, help="Print the certificate as JSON.")
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def anonymize(
    policy: Path | None,
    is_planned: bool,
    read_only: bool,
    is_json: bool,
    sql_log: Path | None,
    **options: object,
) -> None:
    """Anonymize SOURCE: a table or view of --db, or a Parquet or CSV file (or a glob)."""
    job = job_of(options, policy)
    if job.source is None:
        raise RequestError(
            "no SOURCE given: name a table or view of --db, or a Parquet or CSV file."
        )
    raise_all(_engine_faults(job, read_only=read_only))
    if job.into is not None and job.db is None and job.engine != "spark":
        raise RequestError("--into creates a view in a database: give its file with --db.")
    _check_files(job, policy, sql_log)
    with show_progress(is_json=is_json) as progress:
        release = run_job(
            job,
            read_only=read_only,
            sql_log=sql_log,
            progress=progress,
            is_planned=is_planned,
            policy_name=policy.name if policy else None,
        )
    with _after_release(release):
        warn(release.warnings)
        if job.certificate is not None:
            text = as_json(release.certificate) + "\n"
            _write(Path(job.certificate), text, "certificate", release)
        if job.tree_out is not None and release.tree is not None:
            _write(Path(job.tree_out), release.tree.as_json() + "\n", "tree", release, mode=0o600)
        if is_json:
            print_json(release.certificate)
        elif not is_quiet():
            click.echo(f"released {release.name}\n")
            certificate_table(release.certificate)
            if is_planned:
                print_check(release.certificate["plan"])  # type: ignore[arg-type]


@contextmanager
def _after_release(release: Release) -> Iterator[None]:
    """Report errors that occur after the release as such: they do not take it back."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, KeyboardInterrupt) as error:
        why = error.strerror if isinstance(error, OSError) else "the run was interrupted"
        raise EngineError(
            f"{release.name} is released, but its certificate could not be printed: {why}."
        ) from None


def _engine_faults(job: Job, *, read_only: bool) -> list[str]:
    """Return a fault for every option that does not apply to the engine."""
    if job.engine not in (None, *ENGINES):
        return [f"engine {job.engine}: choose one of {', '.join(ENGINES)}."]
    if job.engine != "spark":
        return []
    options = {
        "--db": job.db,
        "--db-key-file": job.db_key_file,
        "--threads": job.threads,
        "--memory-limit": job.memory_limit,
        "--temp-directory": job.temp_directory,
        "--encrypt-temp": job.encrypt_temp,
        "--read-only": read_only,
    }
    return [
        f"{option} is not supported on Spark. Remove it; Spark's resources are set by "
        "spark-submit or spark-defaults.conf."
        for option, value in options.items()
        if value
    ]


def _check_files(job: Job, policy: Path | None, sql_log: Path | None) -> None:
    """Refuse outputs that overwrite an input or each other, before any file is opened."""
    inputs = [job.db, job.db_key_file, job.pseudonym_key_file, policy]
    orders = [order for order in job.order.values() if isinstance(order, str)]
    hierarchies = [tree for tree in job.hierarchy.values() if isinstance(tree, str)]
    read = {Path(file).resolve() for file in [*inputs, *orders, *hierarchies] if file}
    read |= {file.resolve() for file in files_of(str(job.source))}
    outputs: set[Path] = set()
    faults: list[str] = []
    method = METHODS.get(job.method)
    if job.tree_out is not None and method is not None and not method.prunes_tree:
        faults.append(f"--tree-out: {job.method} prunes no tree. Use --method erp, or remove it.")
    for option, value in (
        ("--out", job.out),
        ("--certificate", job.certificate),
        ("--rules", job.rules),
        ("--tree-out", job.tree_out),
        ("--sql-log", sql_log),
    ):
        if value is None:
            continue
        path = Path(value)
        place = path.resolve()
        if place in read:
            faults.append(f"{option} {path}: the run reads this file. Choose another one.")
        elif place in outputs:
            faults.append(
                f"{option} {path}: two outputs cannot share one file. Choose another one."
            )
        elif option not in ("--out", "--rules") and not path.parent.is_dir():
            faults.append(f"{option} {path}: the folder does not exist. Create it first.")
        elif option not in ("--out", "--rules") and (path.is_dir() or not _is_writable(path)):
            faults.append(f"{option} {path}: not writable.")
        outputs.add(place)
    raise_all(faults)


def _is_writable(path: Path) -> bool:
    return os.access(path if path.exists() else path.parent, os.W_OK)


def _write(path: Path, text: str, what: str, release: Release, mode: int | None = None) -> None:
    """Write a file about a release that stands; an error does not take it back."""
    try:
        write_atomically(path, text, mode)
    except OSError as error:
        raise EngineError(
            f"{release.name} is released, but its {what} cannot be written to {path}: "
            f"{error.strerror}."
        ) from None


def run_job(
    job: Job,
    *,
    read_only: bool,
    sql_log: Path | None,
    progress: RunProgress,
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
        progress.report("plan" if is_planned else "read", 0.0)
        estimate: Plan | bool = is_planned
        if is_planned and con is not None:
            # The run reports the faults of the request, all at once.
            with suppress(RequestError):
                estimate = plan_job(con, job, progress.report)
                progress.expect(estimate.seconds)
        return run_anonymize(
            con,
            str(job.source),
            **job.run_arguments(),
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
            plan=estimate,
            progress=progress.report,
            sql_log=log,
            engine=job.engine,
            csv=job.csv,
        )
