"""Build, check and show hierarchies of column values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import duckdb

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.encode.dictionaries import Dictionaries
from ppdt_db.encode.hierarchy import given_relation
from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.policy.hierarchy_specs import HierarchySpec, HierarchyTable, as_hierarchy
from ppdt_db.policy.roles import Attribute, raise_all
from ppdt_db.source.connection import check_connection
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened
from ppdt_db.sqltext.column_types import display_type, family_of
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name, unknown_column


@dataclass(frozen=True, kw_only=True)
class HierarchyNode:
    """One node of a hierarchy: its depth and words, and the values and rows below it."""

    depth: int
    words: str | None
    n_values: int
    n_rows: int


def build_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    column: str,
    hierarchy: HierarchySpec,
    out: str | Path,
    *,
    replace: bool = False,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> int:
    """Write the hierarchy of a column to a CSV file; return the number of its values."""
    path = Path(out)
    if path.suffix.lower() != ".csv":
        raise RequestError(
            f"--out {path}: a hierarchy is written as CSV. Choose a name that ends in .csv."
        )
    if not path.parent.is_dir():
        raise RequestError(f"--out {path}: the folder does not exist. Create it first.")
    if path.exists() and not replace:
        raise RequestError(f"--out {path}: the file exists. Add --replace, or remove it first.")
    engine = DuckEngine(con, sql_log)
    with engine.cleared(), _column(engine, with_csv(source, csv), column) as (found, name):
        attribute = Attribute(name, hierarchy=hierarchy)
        return Dictionaries(engine, found).write_hierarchy(attribute, path)


def check_hierarchy(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    column: str,
    hierarchy: HierarchySpec,
    *,
    sql_log: TextIO | None = None,
    csv: CsvOptions = None,
) -> list[HierarchyNode]:
    """Return the nodes that hold values of a column; raise with all faults, as counts."""
    engine = DuckEngine(con, sql_log)
    with engine.cleared(), _column(engine, with_csv(source, csv), column) as (found, name):
        return _nodes(engine, found, name, hierarchy)


def read_hierarchy(con: duckdb.DuckDBPyConnection, hierarchy: str | Path) -> list[HierarchyNode]:
    """Return the nodes of a hierarchy in a file or relation, with all of its leaves."""
    engine = DuckEngine(con)
    spec = as_hierarchy(hierarchy)
    if not isinstance(spec, HierarchyTable):
        raise RequestError("a hierarchy builder needs a column: give --source and --column.")
    check_connection(engine)
    with engine.cleared():
        relation, types = given_relation(engine, spec.place)
        source = Source(kind="table", title=spec.place, relation=relation, columns=dict(types))
        return _nodes(engine, source, next(iter(types)), spec)


def _nodes(
    engine: DuckEngine, source: Source, column: str, hierarchy: HierarchySpec
) -> list[HierarchyNode]:
    dictionaries = Dictionaries(engine, source)
    attribute = Attribute(column, hierarchy=hierarchy)
    raise_all(dictionaries.hierarchy_faults(attribute))
    coded: EncodedColumn = dictionaries.make(column, 0, "code", attribute)
    names = {"node": coded.node, "dictionary": coded.table}
    return [
        HierarchyNode(
            depth=int(str(depth)),
            words=None if words is None else str(words),
            n_values=int(str(n_values)),
            n_rows=int(str(n_rows)),
        )
        for _, depth, words, n_values, n_rows in engine.rows(
            "encode/hierarchy/outline", names=names
        )
    ]


@contextmanager
def _column(engine: DuckEngine, given: SourceLike, column: str) -> Iterator[tuple[Source, str]]:
    """Yield a source and the name of one of its columns; refuse a type without a hierarchy."""
    with opened(engine, given) as source:
        name = by_normal_name(source.columns).get(normalize_name(column))
        if name is None:
            raise RequestError(unknown_column("column", column, source.columns))
        type_name = source.columns[name]
        if family_of(type_name) is None:
            raise RequestError(
                f'column "{column}": type {display_type(type_name)} cannot have a hierarchy.'
            )
        yield source, name


def drawn(nodes: Sequence[HierarchyNode], depth: int | None = None) -> list[str]:
    """Return the lines of a drawn tree, down to a depth."""
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


def _is_last(nodes: Sequence[HierarchyNode], place: int) -> bool:
    """Return whether a node has no later sibling."""
    depth = nodes[place].depth
    for node in nodes[place + 1 :]:
        if node.depth <= depth:
            return node.depth < depth
    return True
