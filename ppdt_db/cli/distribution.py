"""`ppdt distribution`."""

from pathlib import Path

import click

from ppdt_db.cli.command import PpdtCommand, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.terminal import Names
from ppdt_db.engine import session
from ppdt_db.engine.atomic_file import write_atomically
from ppdt_db.errors import EngineError, RequestError
from ppdt_db.learn.distribution import distribution as count
from ppdt_db.learn.distribution import write_distribution
from ppdt_db.source.csv.dialect import CsvOptions


@click.command(cls=PpdtCommand)
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--columns", required=True, type=Names(), help="Columns whose values are counted.")
@click.option(
    "--k", required=True, type=int, help="Rows that must hold a value; others are not published."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a new file. Default: print.",
)
@limited()
def distribution(
    source: str,
    db: str | None,
    csv: CsvOptions,
    columns: list[str],
    k: int,
    out: Path | None,
    **given: object,
) -> None:
    """Count the values of SOURCE's columns, for `ppdt learn id3 --original-distribution`."""
    if out is not None and out.exists():
        raise RequestError(f"--out {out}: it exists. Choose another name, or remove it first.")
    path = Path(db) if db else None
    with session(path, limits_of(given), read_only=db is not None) as con:
        found = count(con, source, columns=columns, k=k, csv=csv)
    written = write_distribution(found, k)
    if out is None:
        click.echo(written)
        return
    try:
        write_atomically(out, written + "\n")
    except OSError as error:
        raise EngineError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    n_values = sum(map(len, found.values()))
    tell(f"wrote {out}: {n_values} values of {len(found)} columns, each of {k} rows or more")
