"""`ppdt report`."""

from pathlib import Path

import click

from ppdt_db.cli.command import Command, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.limits import key_option, keyed
from ppdt_db.csv_dialect import CsvWish
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.report import report as make_report
from ppdt_db.whole_file import write_whole


@click.command(cls=Command)
@click.argument("name")
@click.option("--db", type=click.Path(path_type=Path), help="The database with NAME or --original.")
@key_option
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    help="NAME is a file: this is its certificate.",
)
@click.option("--original", help="The original, to show how values lay before.")
@csv_option
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The page to write.")
def report(
    name: str,
    db: Path | None,
    db_key_file: str | None,
    certificate: Path | None,
    original: str | None,
    csv: CsvWish,
    out: Path,
) -> None:
    """Write one HTML page about the release NAME: promises, measures, losses, the certificate.

    NAME is a release on record in --db, or the file that --out wrote, with its --certificate.
    """
    if db is None and certificate is None:
        raise RequestError(
            "name the database that has the release on record (--db), or the file of the release "
            "and its --certificate."
        )
    read = [path for path in (db, certificate, Path(name)) if path is not None]
    if any(out.resolve() == path.resolve() for path in read):
        raise RequestError(f"--out {out}: this file is read in this run. Take another one.")
    with session(db, keyed(db_key_file), read_only=db is not None) as con:
        page = make_report(con, name, original=original, certificate=certificate, csv=csv)
    try:
        write_whole(out, page)
    except OSError as error:
        raise RequestError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    tell(f"wrote {out}")
