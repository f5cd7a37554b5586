"""`ppdt demo`."""

from collections.abc import Mapping
from pathlib import Path

import click
import duckdb
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppdt_db.anonymize import anonymize
from ppdt_db.cli.command import PpdtCommand, is_quiet
from ppdt_db.cli.terminal import certificate_table, print_json, progress
from ppdt_db.demo import PATIENTS, RELEASE, ROLES, TARGET, Look, look, make_patients, write_patients
from ppdt_db.engine import connect
from ppdt_db.methods import Mondrian
from ppdt_db.policy.roles import raise_all


@click.command(cls=PpdtCommand)
@click.option(
    "--db", type=click.Path(path_type=Path), help="Keep everything in this new DuckDB file."
)
@click.option(
    "--parquet",
    type=click.Path(path_type=Path),
    help="Also write the patients to a new Parquet file.",
)
@click.option(
    "--rows",
    type=click.IntRange(min=20),
    default=500,
    show_default=True,
    help="How many patients to make.",
)
@click.option("--k", type=int, default=5, show_default=True, help="Rows in each class.")
@click.option("--json", "is_json", is_flag=True, help="Print the certificate as JSON.")
def demo(db: Path | None, parquet: Path | None, rows: int, k: int, is_json: bool) -> None:
    """Make a table of patients, anonymize it, and show before and after."""
    _check_places({"--db": db, "--parquet": parquet})
    with duckdb.connect(str(db)) if db else connect(None) as con:
        make_patients(con, rows)
        if parquet is not None:
            write_patients(con, parquet)
        with progress(is_quiet=is_json) as report:
            release = anonymize(
                con,
                PATIENTS,
                identifiers=ROLES["identifiers"],
                quasi=ROLES["quasi"],
                sensitive=ROLES["sensitive"],
                target=TARGET,
                method=Mondrian(k=k, l=2),
                into=RELEASE,
                seed=1,
                progress=report,
            )
        before, after = look(con, PATIENTS, 6), look(con, RELEASE, 6)
    if is_json:
        print_json(release.certificate)
    if is_json or is_quiet():
        return
    _print("before: six of the patients", before)
    click.echo()
    _print(f"after: six rows of {RELEASE}, sorted by what they show", after)
    click.echo()
    certificate_table(release.certificate)
    click.echo(
        f"\nEvery row shares its age, sex, zip and admission with at least {k - 1} others, and each"
        "\nsuch class has two different diagnoses or more. Names and patient numbers are gone."
    )
    if db is not None:
        click.echo(f"\nLook around: duckdb {db} -c 'FROM {RELEASE} LIMIT 20'")


def _check_places(places: Mapping[str, Path | None]) -> None:
    """Refuse to write over anything, or where nothing can be written."""
    given = {option: path for option, path in places.items() if path is not None}
    faults = [
        f"{option} {path}: the file exists. Choose a new name."
        for option, path in given.items()
        if path.exists()
    ]
    faults += [
        f"{option} {path}: the folder does not exist. Create it first."
        for option, path in given.items()
        if not path.parent.is_dir()
    ]
    raise_all(faults)


def _print(title: str, seen: Look) -> None:
    grid = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in seen.columns:
        grid.add_column(escape(column))
    for row in seen.rows:
        grid.add_row(*(escape("NULL" if value is None else str(value)) for value in row))
    Console().print(grid)
