"""`ppdt risk`."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.command import Group
from ppdt_db.cli.csv_option import csv_option
from ppdt_db.cli.script import check_script, script
from ppdt_db.cli.terminal import Names, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.source.csv.dialect import CsvOptions
from ppdt_db.source.source import files_of
from ppdt_db.tree.tree import Tree
from ppdt_db.tree.tree_json import read_from, read_tree
from ppdt_db.tree_risk import TreeRisk, tree_risk


@click.group(cls=Group)
def risk() -> None:
    """Measure what a model discloses about people."""


@risk.command("tree")
@click.argument("source")
@click.option("--db", help="DuckDB database file with SOURCE.")
@csv_option
@click.option("--qi", type=Names(), required=True, help="Quasi-identifiers that a tree may test.")
@click.option("--target", required=True, help="Class column.")
@click.option("--entity", help="Column that identifies a person: ICR counts persons.")
@click.option(
    "--tree",
    "tree_file",
    type=click.Path(path_type=Path),
    help="Tree to measure (a file of `learn --json`). Default: an unpruned C4.5.",
)
@click.option(
    "--min-rows", type=int, help="Rows that two branches of a split must hold. Default: 2."
)
@click.option("--json", "is_json", is_flag=True, help="Print everything as JSON.")
@click.option("--threads", type=click.IntRange(min=1), help="How many threads run. Default: all.")
@click.option("--memory-limit", help="Such as 4GB.")
@click.option("--sql-log", type=click.Path(path_type=Path), help="Write the run as a SQL script.")
def tree_command(
    source: str,
    db: str | None,
    csv: CsvOptions,
    qi: list[str],
    target: str,
    entity: str | None,
    tree_file: Path | None,
    min_rows: int | None,
    is_json: bool,
    threads: int | None,
    memory_limit: str | None,
    sql_log: Path | None,
) -> None:
    """Print the risk of every node: background (BIG), rows (ICR), both (R), and errors (E).

    Risks are in bits, the information that an attacker lacks: lower is worse. Omega is the risk
    that pruning the branch removes per error that it adds.
    """
    tree = None if tree_file is None else _read(tree_file)
    path = Path(db) if db else None
    check_script(sql_log, [db, tree_file, *files_of(source)])
    with (
        connect(path, read_only=db is not None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=is_json) as report,
        script(sql_log) as log,
    ):
        found = tree_risk(
            con, source, quasi=qi, target=target, tree=tree, min_rows=min_rows,
            entity=entity, progress=report, sql_log=log, csv=csv,
        )  # fmt: skip
    if is_json:
        tests = list(_tests(found.tree))
        nodes = zip(found.nodes, tests, strict=True)
        print_json({"nodes": [{"test": test, **asdict(node)} for node, (_, test) in nodes]})
        return
    _print(found)


def _read(path: Path) -> Tree:
    return read_from(path, read_tree)


def _tests(tree: Tree) -> Iterator[tuple[int, str | None]]:
    """Yield the depth of every node, and the test that leads to it."""
    for number, depth in enumerate(tree.depths):
        if number not in tree.arrivals:
            yield depth, None
            continue
        parent, way = tree.arrivals[number]
        yield depth, way.condition(str(tree.nodes[parent].attribute))


def _print(found: TreeRisk) -> None:
    """Print one line per node, in depth-first order."""
    click.echo("".join(f"{heading:>{WIDTH}}" for heading in HEADINGS) + "  test")
    tests = list(_tests(found.tree))
    for number in _in_order(found.tree):
        node, (depth, test) = found.nodes[number], tests[number]
        cells = [
            f"{node.node}", f"{node.n_rows:,}", f"{node.n_wrong:,}", _bits(node.big),
            _bits(node.icr), _bits(node.risk), _bits(node.branch_risk), f"{node.branch_wrong:,}",
            _bits(node.omega),
        ]  # fmt: skip
        text = test if test is not None else "(all rows)"
        click.echo("".join(f"{cell:>{WIDTH}}" for cell in cells) + f"  {'|  ' * depth}{text}")


HEADINGS = ("node", "rows", "E", "BIG", "ICR", "R", "R(branch)", "E(branch)", "omega")
WIDTH = 10


def _in_order(tree: Tree) -> Iterator[int]:
    """Yield the nodes in depth-first order."""
    stack = [0]
    while stack:
        number = stack.pop()
        yield number
        stack += reversed(tree.nodes[number].children)


def _bits(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
