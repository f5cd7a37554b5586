"""`ppdt anonymize`."""

import os
from contextlib import ExitStack, suppress
from pathlib import Path

import click
import duckdb

from ppdt_db.anonymize import anonymize as run_anonymize
from ppdt_db.axis import SCALES
from ppdt_db.cli.journey import Journey
from ppdt_db.cli.limits import limited
from ppdt_db.cli.plan import plan_job, print_check
from ppdt_db.cli.terminal import Names, Pairs, certificate_table, print_json, warn
from ppdt_db.cli.underway import underway
from ppdt_db.engine import ENGINES, session
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.estimate import Plan
from ppdt_db.job import Job
from ppdt_db.json_text import as_json
from ppdt_db.methods import METHODS
from ppdt_db.methods.mict import MODES
from ppdt_db.partition import CRITERIA
from ppdt_db.policy import raise_all
from ppdt_db.policy_file import read_policy
from ppdt_db.publish import Release
from ppdt_db.source import files_of


@click.command()
@click.argument("source", required=False)
@click.option("--db", help="The DuckDB file that holds the source, and the release of --into.")
@click.option("--engine", type=click.Choice(ENGINES), help="Where it runs. Default: duckdb.")
@click.option("--qi", "quasi", type=Names(), help="Quasi-identifiers: what an outsider may know.")
@click.option("--sensitive", type=Names(), help="Columns that must not be learnt of a person.")
@click.option("--target", help="The class that a classifier is to predict.")
@click.option("--id", "identifiers", type=Names(), help="Identifiers: dropped.")
@click.option("--entity", help="The key of a person: k counts these; not released.")
@click.option("--pseudonymize", type=Names(), help="Identifiers to replace by keyed pseudonyms.")
@click.option("--pseudonym-key-file", help="File with the key (or set PPDT_PSEUDONYM_KEY).")
@click.option(
    "--link-pseudonyms",
    is_flag=True,
    default=None,
    help="Same pseudonyms in every release under this key.",
)
@click.option("--keep", type=Names(), help="Columns to keep as they are, or `rest`.")
@click.option("--method", type=click.Choice(list(METHODS)), help="Default: mondrian.")
@click.option("--k", type=int, help="Rows (or entities) in each class. Default: 10.")
@click.option("--l", help="Diversity: 2 | distinct=2 | entropy=1.5 | recursive=2:3.")
@click.option("--t", type=float, help="t-closeness of each class to the whole table.")
@click.option("--alpha", type=float, help="Largest share of one sensitive value in a class.")
@click.option("--beta", type=float, help="Basic beta-likeness.")
@click.option("--enhanced-beta", type=float, help="Enhanced beta-likeness.")
@click.option("--delta", type=float, help="Delta-disclosure privacy (strict).")
@click.option("--relaxed", is_flag=True, default=None, help="Deal rows equal to the median.")
@click.option("--criterion", type=click.Choice(CRITERIA), help="Default: balanced; kactus: ncp.")
@click.option("--tree", help="kactus, erp: along this tree (a file of `learn --json`).")
@click.option("--min-rows", type=int, help="kactus, erp: least rows of two branches. Default: 2.")
@click.option("--refine", is_flag=True, default=None, help="kactus: go on inside each group.")
@click.option("--plain", is_flag=True, default=None, help="kactus: single values or NULL only.")
@click.option("--tiered", is_flag=True, default=None, help="erp: labels by leaf; see --accept.")
@click.option("--scale", type=click.Choice(SCALES), help="Microaggregation. Default: deviation.")
@click.option("--gamma", type=float, help="What a category that differs counts. Default: 1.")
@click.option("--weight", type=Pairs(), multiple=True, help="COLUMN=NUMBER; may be repeated.")
@click.option(
    "--gain", type=float, help="vmdav, mdav2k, mict: how far clusters grow. Default: 0.2."
)
@click.option("--part-rows", type=int, help="microaggregate: most rows of a part. Default: 500.")
@click.option("--mode", type=click.Choice(MODES), help="mict. Default: safe.")
@click.option(
    "--recode",
    type=Pairs(),
    multiple=True,
    help="COLUMN=range|set|bounds|mean|mode; may be repeated.",
)
@click.option(
    "--order",
    type=Pairs(),
    multiple=True,
    help="COLUMN=FILE with one value a line; may be repeated.",
)
@click.option(
    "--hierarchy",
    type=Pairs(),
    multiple=True,
    help="COLUMN=FILE.csv (leaf,level1,...,root), COLUMN=RELATION, or COLUMN=intervals:10,20, "
    "quantiles:16,4, dates:month,year, prefixes:3,2; may be repeated.",
)
@click.option("--out", help="Write the release to FILE.parquet, .csv or .duckdb.")
@click.option("--into", help="Make the release a view of this name in the database.")
@click.option("--live", is_flag=True, default=None, help="A view that follows the source.")
@click.option("--accept", type=Names(), help="Weaker promises that you accept, by their names.")
@click.option("--replace", is_flag=True, default=None, help="Replace a release of that name.")
@click.option("--certificate", help="Write the certificate to this JSON file.")
@click.option("--rules", help="Write what `ppdt apply` needs to FILE.duckdb: secret as the source.")
@click.option("--policy", type=click.Path(path_type=Path), help="Read all of this from YAML.")
@click.option("--seed", type=int, help="Makes random draws repeatable.")
@limited()
@click.option("--plan", "is_planned", is_flag=True, help="Estimate first; fact beside it after.")
@click.option("--read-only", is_flag=True, help="Open the database for reading only.")
@click.option("--json", "is_json", is_flag=True, help="The certificate on stdout, as JSON.")
@click.option("--quiet", is_flag=True, help="No progress, no table.")
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def anonymize(
    policy: Path | None,
    is_planned: bool,
    read_only: bool,
    is_json: bool,
    quiet: bool,
    sql_log: Path | None,
    recode: tuple[tuple[str, str], ...],
    order: tuple[tuple[str, str], ...],
    weight: tuple[tuple[str, str], ...],
    hierarchy: tuple[tuple[str, str], ...],
    **given: object,
) -> None:
    """Anonymize SOURCE: a table or view of --db, or a Parquet or CSV file (or a glob)."""
    job = read_policy(policy) if policy else Job()
    given |= {"recode": dict(recode) or None, "order": dict(order) or None}
    given |= {"weight": dict(weight) or None, "hierarchy": dict(hierarchy) or None}
    if given["keep"] == ["rest"]:
        given["keep"] = "rest"
    job = job.with_options(given)
    if job.source is None:
        raise RequestError("name a SOURCE: a table or view of --db, or a Parquet or CSV file.")
    raise_all(_engine_faults(job, read_only=read_only))
    if job.into is not None and job.db is None and job.engine != "spark":
        raise RequestError("--into makes a view in a database: name its file with --db.")
    _check_files(job, policy, sql_log)
    with underway(is_quiet=quiet, is_json=is_json) as journey:
        release = run_job(
            job, read_only=read_only, sql_log=sql_log, journey=journey, is_planned=is_planned
        )
    warn(release.warnings)
    if job.certificate is not None:
        _write_certificate(Path(job.certificate), release)
    if is_json:
        print_json(release.certificate)
    elif not quiet:
        click.echo(f"released {release.name}\n")
        certificate_table(release.certificate)
        if is_planned:
            print_check(release.certificate["plan"])  # type: ignore[arg-type]


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
        path.write_text(as_json(release.certificate) + "\n", "utf-8")
    except OSError as error:
        raise EngineError(
            f"{release.name} is released, but its certificate cannot be written to {path}: "
            f"{error.strerror}."
        ) from None


def run_job(
    job: Job, *, read_only: bool, sql_log: Path | None, journey: Journey, is_planned: bool
) -> Release:
    """Open the database and run a job in it."""
    with ExitStack() as stack:
        con: duckdb.DuckDBPyConnection | None = None
        if job.engine != "spark":
            con = stack.enter_context(
                session(Path(job.db) if job.db else None, job.limits(), read_only=read_only)
            )
        log = stack.enter_context(sql_log.open("w", encoding="utf-8")) if sql_log else None
        journey.report("plan" if is_planned else "read", 0.0)
        foreseen: Plan | bool = is_planned
        if is_planned and con is not None:
            # What is wrong with the request, the run says: all of it at once.
            with suppress(RequestError):
                foreseen = plan_job(con, job)
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
            rules=job.rules or False,
            plan=foreseen,
            progress=journey.report,
            sql_log=log,
            engine=job.engine,
        )
