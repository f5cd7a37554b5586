"""`ppdt profile`."""

from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppdt_db.cli.command import PpdtCommand
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import key_option, keyed
from ppdt_db.cli.terminal import print_json
from ppdt_db.engine import session
from ppdt_db.profile import Profile
from ppdt_db.profile import profile as run_profile
from ppdt_db.source.csv.dialect import CsvOptions


@click.command(cls=PpdtCommand)
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@key_option
@click.option("--json", "is_json", is_flag=True, help="Print everything as JSON.")
def profile(
    source: str, db: str | None, csv: CsvOptions, db_key_file: str | None, is_json: bool
) -> None:
    """Profile the columns of SOURCE, and suggest a policy."""
    path = Path(db) if db else None
    with session(path, keyed(db_key_file), read_only=db is not None) as con:
        found = run_profile(con, source, csv=csv)
    if is_json:
        print_json(asdict(found))
        return
    _print(found)


def _print(found: Profile) -> None:
    console = Console()
    grid = Table(title=f"{found.n_rows:,} rows", title_justify="left", box=None, pad_edge=False)
    for heading in ("column", "type", "values", "NULL", "unique", "likely"):
        grid.add_column(heading)
    for column in found.columns:
        type_name = column.type_name if len(column.type_name) < 25 else column.type_name[:22] + "…"
        cells = [
            column.name, type_name, f"{column.n_values:,}", f"{column.n_nulls:,}",
            f"{100 * column.uniqueness:.1f} %", column.likely,
        ]  # fmt: skip
        grid.add_row(*map(escape, cells))
    console.print(grid)
    if found.worst_sets:
        click.echo("\nrows made unique by a few columns together:")
    for one in found.worst_sets:
        click.echo(f"  {100 * one.uniqueness:5.1f} %  {', '.join(one.columns)}")
    click.echo("\n" + found.policy)
