"""`ppdt report`."""

from pathlib import Path

import click

from ppdt_db.cli.command import PpdtCommand, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.resource_options import key_option, keyed
from ppdt_db.engine import session
from ppdt_db.engine.atomic_file import write_atomically
from ppdt_db.errors import RequestError
from ppdt_db.report.report import report as make_report
from ppdt_db.source.csv.dialect import CsvOptions


@click.command(cls=PpdtCommand)
@click.argument("name")
@click.option(
    "--db", type=click.Path(path_type=Path), help="DuckDB database file with NAME or --original."
)
@key_option
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    help="The certificate, if NAME is a file.",
)
@click.option("--original", help="The original data, to compare distributions.")
@csv_option
@click.option("--out", required=True, type=click.Path(path_type=Path), help="HTML file to write.")
def report(
    name: str,
    db: Path | None,
    db_key_file: str | None,
    certificate: Path | None,
    original: str | None,
    csv: CsvOptions,
    out: Path,
) -> None:
    """Write an HTML report about the release NAME: guarantees, measures, losses, certificate.

    NAME is a release on record in --db, or the file that --out wrote, with its --certificate.
    """
    if db is None and certificate is None:
        raise RequestError(
            "give the database with the release (--db), or the file of the release and its "
            "--certificate."
        )
    read = [path for path in (db, certificate, Path(name)) if path is not None]
    if any(out.resolve() == path.resolve() for path in read):
        raise RequestError(f"--out {out}: the run reads this file. Choose another one.")
    with session(db, keyed(db_key_file), read_only=db is not None) as con:
        page = make_report(con, name, original=original, certificate=certificate, csv=csv)
    try:
        write_atomically(out, page)
    except OSError as error:
        raise RequestError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    tell(f"wrote {out}")
