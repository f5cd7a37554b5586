"""`ppdt hierarchy build`, `check`, `show`."""

from pathlib import Path

import click

from ppdt_db.cli.command import Group, tell
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.terminal import print_json
from ppdt_db.engine import connect
from ppdt_db.errors import RequestError
from ppdt_db.hierarchy import build_hierarchy, check_hierarchy, drawn, read_hierarchy
from ppdt_db.policy.hierarchy_specs import BUILDERS
from ppdt_db.source.csv.dialect import CsvOptions

db_option = click.option("--db", help="DuckDB database file with SOURCE.")
column_option = click.option("--column", required=True, help="The column of the hierarchy.")


@click.group(cls=Group)
def hierarchy() -> None:
    """Build, check and show hierarchies of column values."""


@hierarchy.command()
@click.argument("source")
@click.argument("builder", type=click.Choice(list(BUILDERS)))
@click.argument("words", nargs=-1)
@column_option
@db_option
@csv_option
@click.option("--from", "start", help="intervals: start of one of them. Default: 0.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="CSV file to write.")
@click.option("--replace", is_flag=True, help="Overwrite an existing file.")
def build(
    source: str,
    builder: str,
    words: tuple[str, ...],
    column: str,
    db: str | None,
    csv: CsvOptions,
    start: str | None,
    out: Path,
    replace: bool,
) -> None:
    """Write a hierarchy of a column's values, such as `intervals 5 10` or `dates month year`."""
    if start is not None and builder != "intervals":
        raise RequestError(f"--from does not apply to {builder}; remove it.")
    spec = BUILDERS[builder](*words, **({"start": start} if start is not None else {}))
    with connect(Path(db) if db else None, read_only=db is not None) as con:
        n_values = build_hierarchy(con, source, column, spec, out, replace=replace, csv=csv)
    tell(f"wrote {out}: {n_values:,} values.")


@hierarchy.command()
@click.argument("source")
@click.option("--hierarchy", "spec", required=True, help="FILE.csv, RELATION, or builder:1,2.")
@column_option
@db_option
@csv_option
def check(source: str, spec: str, column: str, db: str | None, csv: CsvOptions) -> None:
    """Check a hierarchy against the values of COLUMN; exit 2 with all faults, as counts."""
    with connect(Path(db) if db else None, read_only=db is not None) as con:
        nodes = check_hierarchy(con, source, column, spec, csv=csv)
    depth = max(node.depth for node in nodes)
    tell(
        f'hierarchy of "{column}": {nodes[0].n_values:,} values, {len(nodes):,} nodes, '
        f"{depth} levels below the root. No faults found."
    )


@hierarchy.command()
@click.argument("spec", metavar="HIERARCHY")
@click.option(
    "--source", help="Count the rows of this table or file, and omit values that do not occur."
)
@click.option("--column", help="The column of --source.")
@db_option
@csv_option
@click.option("--depth", type=click.IntRange(min=0), help="Maximum depth to show.")
@click.option("--json", "is_json", is_flag=True, help="Print the nodes as JSON.")
def show(
    spec: str,
    source: str | None,
    column: str | None,
    db: str | None,
    csv: CsvOptions,
    depth: int | None,
    is_json: bool,
) -> None:
    """Print a hierarchy (FILE.csv, a relation, or builder:1,2 for a column) as a tree."""
    if (source is None) != (column is None):
        raise RequestError("--source and --column go together: give both or neither.")
    with connect(Path(db) if db else None, read_only=db is not None) as con:
        if source is not None and column is not None:
            nodes = check_hierarchy(con, source, column, spec, csv=csv)
        else:
            nodes = read_hierarchy(con, spec)
    if is_json:
        print_json([vars(node) for node in nodes])
        return
    click.echo("\n".join(drawn(nodes, depth)))
