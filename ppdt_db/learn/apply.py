"""Apply a tree to any relation, inside the database: every distinct combination walks down once."""

from collections.abc import Mapping

import duckdb

from ppdt_db.connection import check_connection
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.contract import Name
from ppdt_db.errors import RequestError
from ppdt_db.learn.asked import Asked, code_asked, describe_tree
from ppdt_db.learn.grown import whole
from ppdt_db.names import fold, is_reserved, parts_of
from ppdt_db.resolve import place_of
from ppdt_db.source import Source
from ppdt_db.tree import Tree

Confusion = Mapping[tuple[str | None, str], int]


def predict(engine: DuckEngine, tree: Tree, source: Source, into: Name, column: str) -> None:
    """Make a table of a relation with the tree's prediction beside every row."""
    asked = _ask(engine, tree, source, None)
    names = {**asked.names, "columns": list(source.columns), "prediction": column}
    engine.make_table("tree/predicted", into, names=names)


def store(con: duckdb.DuckDBPyConnection, tree: Tree, *, into: str) -> None:
    """Write the nodes of a tree to a table."""
    engine = DuckEngine(con)
    engine.make_table("tree/relation", free_place(engine, into), tree.as_columns())


def free_place(engine: DuckEngine, name: str) -> tuple[str, ...]:
    """The full name where DuckDB makes a table; raises where it is ours, or stands already."""
    if is_reserved(parts_of(name)[-1]):
        raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Choose another.')
    check_connection(engine)
    path = place_of(engine, name)
    places = [[*map(fold, path)], ["temp", "main", fold(path[-1])]]
    tables = engine.rows("engine/alike", {"name": path[-1]})
    if any([fold(str(part)) for part in row[:3]] in places for row in tables):
        raise RequestError(f'"{name}": there is a table or view of that name. Choose another.')
    return path


def confusion(engine: DuckEngine, tree: Tree, source: Source, truth: str) -> Confusion:
    """How often which class of a column was taken for which, over all rows of a relation."""
    asked = _ask(engine, tree, source, truth)
    rows = engine.rows("tree/confusion", names=asked.names)
    engine.drop("ppdt_coded", "ppdt_asked", "ppdt_vote")
    return {
        (None if true is None else str(true), str(predicted)): whole(n_rows)
        for true, predicted, n_rows in rows
    }


def _ask(engine: DuckEngine, tree: Tree, source: Source, truth: str | None) -> Asked:
    """Code the relation, let its combinations walk, and count the votes."""
    asked = code_asked(engine, tree, source, truth)
    describe_tree(engine, tree, asked)
    engine.make("tree/entered", names=asked.names, to="ppdt_walk")
    is_first = True
    while engine.count("tree/walking"):
        if asked.is_spread:
            engine.make("spread/piece", names=asked.names)
            engine.rename("ppdt_piece", "ppdt_walk")
        engine.make("tree/moved", names=asked.names)
        engine.rename("ppdt_moved", "ppdt_walk")
        if is_first:
            engine.make("tree/arrived")
        else:
            engine.append("tree/arrived", "ppdt_arrived")
        is_first = False
    if is_first:
        engine.make("tree/arrived")
    engine.make(
        "tree/vote", {"labels": list(tree.classes), "tie_sign": 1 - 2 * (tree.ties == "last")}
    )
    engine.drop(*WORKING)
    return asked


WORKING = (
    "ppdt_walk", "ppdt_share", "ppdt_inner", "ppdt_leads", "ppdt_arrived", "ppdt_belief",
)  # fmt: skip
