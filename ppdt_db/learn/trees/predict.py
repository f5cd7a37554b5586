"""Apply a tree to any relation inside the database: every distinct combination is routed once."""

from collections.abc import Mapping

import duckdb

from ppdt_db.engine import DuckEngine
from ppdt_db.engine.base import Name
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.encode_input import EncodedInput, describe_tree, encode_input
from ppdt_db.learn.trees.node import as_int
from ppdt_db.source.connection import check_connection
from ppdt_db.source.resolve import place_of
from ppdt_db.source.source import Source
from ppdt_db.sqltext.quoting import is_reserved, normalize_name, parts_of
from ppdt_db.tree.tree import Tree

Confusion = Mapping[tuple[str | None, str], int]


def predict(engine: DuckEngine, tree: Tree, source: Source, into: Name, column: str) -> None:
    """Create a table of a relation with the tree's prediction beside every row."""
    encoded = _classify(engine, tree, source, None)
    names = {**encoded.names, "columns": list(source.columns), "prediction": column}
    engine.make_table("learn/trees/predicted", into, names=names)


def store(con: duckdb.DuckDBPyConnection, tree: Tree, *, into: str) -> None:
    """Write the nodes of a tree to a table."""
    engine = DuckEngine(con)
    engine.make_table("learn/trees/relation", free_place(engine, into), tree.as_columns())


def free_place(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """Return the full name of a new table; raise if it is reserved, or exists already."""
    if is_reserved(parts_of(name)[-1]):
        raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Choose another.')
    check_connection(engine)
    path = place_of(engine, name)
    places = [[*map(normalize_name, path)], ["temp", "main", normalize_name(path[-1])]]
    tables = engine.rows("lib/engine/alike", {"name": path[-1]})
    if any([normalize_name(str(part)) for part in row[:3]] in places for row in tables):
        raise RequestError(f'"{name}": there is a table or view of that name. Choose another.')
    return path


def confusion(engine: DuckEngine, tree: Tree, source: Source, truth: str) -> Confusion:
    """Return the number of rows for each pair of actual and predicted class."""
    encoded = _classify(engine, tree, source, truth)
    rows = engine.rows("learn/trees/confusion", names=encoded.names)
    engine.drop("ppdt_coded", "ppdt_query", "ppdt_vote")
    return {
        (None if true is None else str(true), str(predicted)): as_int(n_rows)
        for true, predicted, n_rows in rows
    }


def _classify(engine: DuckEngine, tree: Tree, source: Source, truth: str | None) -> EncodedInput:
    """Encode the relation, route its combinations, and count the votes."""
    encoded = encode_input(engine, tree, source, truth)
    describe_tree(engine, tree, encoded)
    engine.make("learn/trees/entered", names=encoded.names, to="ppdt_walk")
    is_first = True
    while engine.count("learn/trees/walking"):
        if encoded.is_spread:
            engine.make("learn/generalized/piece", names=encoded.names)
            engine.rename("ppdt_piece", "ppdt_walk")
        engine.make("learn/trees/moved", names=encoded.names)
        engine.rename("ppdt_moved", "ppdt_walk")
        if is_first:
            engine.make("learn/trees/arrived")
        else:
            engine.append("learn/trees/arrived", "ppdt_arrived")
        is_first = False
    if is_first:
        engine.make("learn/trees/arrived")
    engine.make(
        "learn/trees/vote",
        {"labels": list(tree.classes), "tie_sign": 1 - 2 * (tree.ties == "last")},
    )
    engine.drop(*WORKING)
    return encoded


WORKING = (
    "ppdt_walk", "ppdt_branch_share", "ppdt_inner", "ppdt_leads", "ppdt_arrived", "ppdt_belief",
)  # fmt: skip
