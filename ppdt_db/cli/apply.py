"""`ppdt apply`."""

from contextlib import ExitStack
from pathlib import Path

import click

from ppdt_db.apply.api import load_rules
from ppdt_db.cli.command import PpdtCommand, is_quiet
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.job import read_key
from ppdt_db.cli.resource_options import limited, limits_of
from ppdt_db.cli.script import check_script, script
from ppdt_db.cli.terminal import print_json, progress, table
from ppdt_db.engine import session
from ppdt_db.errors import RequestError
from ppdt_db.release.saved_rules import NOT_COUNTED
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.source.source import files_of


@click.command(cls=PpdtCommand)
@click.argument("rules", type=click.Path(path_type=Path))
@click.argument("new")
@click.option("--db", help="DuckDB database file with NEW, and for --into.")
@csv_option
@click.option("--into", help="Write the rows to a table of this name in the database.")
@click.option("--out", help="Write the rows to FILE.parquet, .csv or .duckdb.")
@click.option("--replace", is_flag=True, help="Replace the output of an earlier apply.")
@click.option("--pseudonym-key-file", help="File with the key (or set PPDT_PSEUDONYM_KEY).")
@limited()
@click.option("--json", "is_json", is_flag=True, help="Print the row counts as JSON.")
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def apply(
    rules: Path,
    new: str,
    db: str | None,
    csv: CsvOptions,
    into: str | None,
    out: str | None,
    replace: bool,
    pseudonym_key_file: str | None,
    is_json: bool,
    sql_log: Path | None,
    **options: object,
) -> None:
    """Generalize NEW rows as in a release: RULES is a file from `ppdt anonymize --rules`.

    NEW is a table or view of --db, or a Parquet or CSV file. New rows do not count towards k.
    """
    if into is not None and db is None:
        raise RequestError("--into creates a table in a database: give its file with --db.")
    check_script(sql_log, [rules, db, out, pseudonym_key_file, *files_of(new)])
    loaded = load_rules(rules)
    path = Path(db) if db else None
    with ExitStack() as stack:
        con = stack.enter_context(
            session(path, limits_of(options), read_only=into is None and db is not None)
        )
        report = stack.enter_context(progress(is_quiet=is_json))
        log = stack.enter_context(script(sql_log))
        applied = loaded.apply(
            con, new, into=into, out=out, replace=replace, progress=report, sql_log=log, csv=csv,
            pseudonym_key=read_key(pseudonym_key_file) if loaded.about.key_check else None,
        )  # fmt: skip
    if is_json:
        print_json(applied.summary)
    if is_json or is_quiet():
        return
    rows: list[tuple[str, object]] = [("rows in", applied.rows_in), ("shown", applied.rows_shown)]
    rows += [(f"withheld: {reason}", n_rows) for reason, n_rows in applied.withheld.items()]
    table(f"wrote {applied.name}", rows)
    click.echo(NOT_COUNTED)
