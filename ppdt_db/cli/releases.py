"""`ppdt releases`, `ppdt drop`, `ppdt migrate`."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppdt_db.cli.command import PpdtCommand, tell
from ppdt_db.cli.resource_options import key_option, keyed
from ppdt_db.cli.terminal import print_json, shown
from ppdt_db.engine import session
from ppdt_db.release import manage

db_option = click.option(
    "--db", required=True, type=click.Path(path_type=Path), help="DuckDB database file."
)


@click.command(cls=PpdtCommand)
@db_option
@key_option
@click.option("--all", "is_all", is_flag=True, help="Also list dropped and replaced releases.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON, with the certificates.")
def releases(db: Path, db_key_file: str | None, is_all: bool, is_json: bool) -> None:
    """List the releases of a database."""
    with session(db, keyed(db_key_file), read_only=True) as con:
        entries = [entry for entry in manage.releases(con) if is_all or entry.stands]
    if is_json:
        print_json([
            {
                "name": e.name, "form": e.form, "source": e.source, "created_at": e.created_at,
                "stands": e.stands, "certificate": e.certificate,
            }
            for e in entries
        ])  # fmt: skip
        return
    if not entries:
        click.echo("no releases.")
        return
    grid = Table(box=None, pad_edge=False)
    headings = ["name", "form", "source", "k", "classes", "GCP", "made"]
    for heading in [*headings, "stands"] if is_all else headings:
        grid.add_column(heading, overflow="fold", no_wrap=heading != "source")
    for e in entries:
        proof = e.certificate
        cells = [
            e.name, e.form, e.source, shown(proof["k_measured"]),
            shown(proof["classes"]), _gcp(proof["gcp"]), f"{e.created_at:%Y-%m-%d}",
            *([shown(e.stands)] if is_all else []),
        ]  # fmt: skip
        grid.add_row(*map(escape, cells))
    Console().print(grid)


def _gcp(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else shown(value)


@click.command(cls=PpdtCommand)
@click.argument("name")
@db_option
@key_option
def drop(name: str, db: Path, db_key_file: str | None) -> None:
    """Remove the release NAME and all that belongs to it."""
    with session(db, keyed(db_key_file)) as con:
        manage.drop(con, name)
    tell(f"dropped {name}. The file may still contain its bytes until they are overwritten.")


@click.command(cls=PpdtCommand)
@db_option
@key_option
def migrate(db: Path, db_key_file: str | None) -> None:
    """Upgrade the catalog of a database to this version of ppdt."""
    with session(db, keyed(db_key_file)) as con:
        applied = manage.migrate(con)
    tell("applied " + ", ".join(applied) if applied else "the catalog is up to date.")
