"""`ppdt report`."""

from pathlib import Path

import click

from ppdt_db.cli.command import Command, tell
from ppdt_db.cli.limits import key_option, keyed
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.report import report as make_report
from ppdt_db.whole_file import write_whole


@click.command(cls=Command)
@click.argument("name")
@click.option("--db", required=True, type=click.Path(path_type=Path), help="The file.")
@key_option
@click.option("--original", help="The original, to show how values lay before.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The page to write.")
def report(name: str, db: Path, db_key_file: str | None, original: str | None, out: Path) -> None:
    """Write one HTML page about the release NAME: promises, measures, losses, the certificate."""
    with session(db, keyed(db_key_file), read_only=True) as con:
        page = make_report(con, name, original=original)
    try:
        write_whole(out, page)
    except OSError as error:
        raise RequestError(f"--out {out}: it cannot be written: {error.strerror}.") from None
    tell(f"wrote {out}")
