"""Hierarchies by themselves: made for a column, checked against it, looked at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.coded import Coded
from ppdt_db.connection import check_connection
from ppdt_db.csv_dialect import CsvWish, with_csv
from ppdt_db.dictionaries import Dictionaries
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.families import family_of, told
from ppdt_db.hierarchies import Given, Wish, as_hierarchy
from ppdt_db.names import fold, nearest
from ppdt_db.policy import Attribute, raise_all
from ppdt_db.source import Given as Source_
from ppdt_db.source import Source, opened
from ppdt_db.taxonomy import given_relation


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of a hierarchy: how deep it lies, its words, and what is under it."""

    depth: int
    words: str | None
    n_values: int
    n_rows: int


def build_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source_,
    column: str,
    hierarchy: Wish,
    out: str | Path,
    *,
    replace: bool = False,
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> int:
    """Write the hierarchy of a column to a CSV file; returns how many values it has."""
    path = Path(out)
    if path.suffix.lower() != ".csv":
        raise RequestError(f"--out {path}: a hierarchy is a .csv file.")
    if not path.parent.is_dir():
        raise RequestError(f"--out {path}: the folder does not exist. Make it first.")
    if path.exists() and not replace:
        raise RequestError(f"--out {path}: the file exists. Add --replace, or remove it first.")
    engine = DuckEngine(con, sql_log)
    with engine.cleared(), _column(engine, with_csv(source, csv), column) as (found, name):
        wish = Attribute(name, hierarchy=hierarchy)
        return Dictionaries(engine, found).write_hierarchy(wish, path)


def check_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: Source_,
    column: str,
    hierarchy: Wish,
    *,
    sql_log: TextIO | None = None,
    csv: CsvWish = None,
) -> list[Node]:
    """The nodes of a hierarchy that hold values of a column; raises with all faults, as counts."""
    engine = DuckEngine(con, sql_log)
    with engine.cleared(), _column(engine, with_csv(source, csv), column) as (found, name):
        return _nodes(engine, found, name, hierarchy)


def read_hierarchy(con: duckdb.DuckDBPyConnection, hierarchy: str | Path) -> list[Node]:
    """The nodes of a file or a relation that holds a hierarchy, with all of its leaves."""
    engine = DuckEngine(con)
    wish = as_hierarchy(hierarchy)
    if not isinstance(wish, Given):
        raise RequestError("a builder needs a column: name a source and --column.")
    check_connection(engine)
    with engine.cleared():
        relation, types = given_relation(engine, wish.place)
        source = Source(kind="table", title=wish.place, relation=relation, columns=dict(types))
        return _nodes(engine, source, next(iter(types)), wish)


def _nodes(engine: DuckEngine, source: Source, column: str, hierarchy: Wish) -> list[Node]:
    dictionaries = Dictionaries(engine, source)
    wish = Attribute(column, hierarchy=hierarchy)
    raise_all(dictionaries.hierarchy_faults(wish))
    coded: Coded = dictionaries.make(column, 0, "code", wish)
    names = {"node": coded.node, "dictionary": coded.table}
    return [
        Node(
            depth=int(str(depth)),
            words=None if words is None else str(words),
            n_values=int(str(n_values)),
            n_rows=int(str(n_rows)),
        )
        for _, depth, words, n_values, n_rows in engine.rows("hierarchy/outline", names=names)
    ]


@contextmanager
def _column(engine: DuckEngine, given: Source_, column: str) -> Iterator[tuple[Source, str]]:
    """A source, and one of its columns that values can be told apart in."""
    with opened(engine, given) as source:
        name = {fold(known): known for known in source.columns}.get(fold(column))
        if name is None:
            hint = nearest(column, source.columns)
            raise RequestError(f'column "{column}": the source has no such column.{hint}')
        type_name = source.columns[name]
        if family_of(type_name) is None:
            raise RequestError(f'column "{column}": type {told(type_name)} can have no hierarchy.')
        yield source, name


def drawn(nodes: Sequence[Node], depth: int | None = None) -> list[str]:
    """A tree in lines of text, down to a depth."""
    lines: list[str] = []
    shown = [node for node in nodes if depth is None or node.depth <= depth]
    is_last = [_is_last(shown, place) for place in range(len(shown))]
    open_levels: dict[int, bool] = {}
    for node, last in zip(shown, is_last, strict=True):
        open_levels[node.depth] = not last
        bars = "".join("│  " if open_levels[level] else "   " for level in range(1, node.depth))
        branch = "" if node.depth == 0 else "└─ " if last else "├─ "
        words = "NULL" if node.words is None else node.words
        values = "" if node.n_values == 1 else f"{node.n_values:,} values, "
        rows = f"{node.n_rows:,} row" + ("" if node.n_rows == 1 else "s")
        lines.append(f"{bars}{branch}{words}  ({values}{rows})")
    return lines


def _is_last(nodes: Sequence[Node], place: int) -> bool:
    """Whether no sibling follows."""
    depth = nodes[place].depth
    for node in nodes[place + 1 :]:
        if node.depth <= depth:
            return node.depth < depth
    return True
