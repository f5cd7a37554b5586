"""Apply a tree to any relation, inside the database: every distinct combination walks down once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import duckdb

from ppdt_db.encode import Coded, Family, Other, Word, family_of, packed
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.finish import make_inner
from ppdt_db.learn.grown import Grown, whole
from ppdt_db.learn.walk import make_leads
from ppdt_db.names import Sql, fold, is_reserved, nearest, view_path
from ppdt_db.source import Given, Source, opened, stage
from ppdt_db.tree import Node, Tested, Tree

MISSING = -1
FIRST_VALUE = 2
KINDRED: tuple[frozenset[Family], ...] = (
    frozenset({"integer", "huge", "decimal", "float"}),
    frozenset({"date", "timestamp", "timestamptz"}),
    frozenset({"time"}),
)
Confusion = Mapping[tuple[str | None, str], int]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A relation in a tree's codes: combinations in `ppdt_asked`, rows in `ppdt_coded`."""

    attributes: Sequence[Coded]
    words: Sequence[Word]
    names: Mapping[str, object]


def predict_into(
    con: duckdb.DuckDBPyConnection,
    tree: Tree,
    source: Given,
    *,
    into: str,
    sql_log: TextIO | None = None,
) -> None:
    """Write a table that shows every row of a source with the tree's prediction beside it."""
    engine = DuckEngine(con, sql_log)
    with interruptible(con), engine.cleared(), opened(engine, source) as found:
        read = stage(engine, found)
        column = f"predicted_{tree.target}"
        if fold(column) in {fold(name) for name in read.columns}:
            raise RequestError(f'the source has a column "{column}" already. Rename it.')
        check_free(engine, into)
        asked = _ask(engine, tree, read, None)
        names = {**asked.names, "columns": list(read.columns), "prediction": column}
        engine.make_table("tree/predicted", view_path(into), names=names)


def store(con: duckdb.DuckDBPyConnection, tree: Tree, *, into: str) -> None:
    """Write the nodes of a tree to a table."""
    engine = DuckEngine(con)
    check_free(engine, into)
    engine.make_table("tree/relation", view_path(into), tree.as_columns())


def check_free(engine: DuckEngine, name: str) -> None:
    """Raise where a name is ours, or something of the user's already."""
    if is_reserved(name.rpartition(".")[2]):
        raise RequestError(f'"{name}": names that start with ppdt_ are reserved. Choose another.')
    wanted = [fold(part) for part in view_path(name)]
    for row in engine.rows("engine/tables"):
        if [fold(str(part)) for part in row[3 - len(wanted) : 3]] == wanted:
            raise RequestError(f'"{name}": there is a table or view of that name. Choose another.')


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
    asked = _coded(engine, tree, source, truth)
    _describe(engine, tree, asked)
    engine.make("tree/entered", names=asked.names, to="ppdt_walk")
    is_first = True
    while engine.count("tree/walking"):
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


def _coded(engine: DuckEngine, tree: Tree, source: Source, truth: str | None) -> Asked:
    columns = find_tested(tree, source, truth)
    tested = list(tree.attributes)
    if not tested:
        # A tree of one leaf asks nothing; any column serves to count the rows.
        name = next(iter(source.columns))
        tested = [Tested(name=name, type_name="VARCHAR")]
        columns = [name]
    attributes = [
        _dictionary(engine, tree, of_tree, column, source, position)
        for position, (of_tree, column) in enumerate(zip(tested, columns, strict=True))
    ]
    words = packed(attributes)
    attributes = sorted((a for word in words for a in word.attributes), key=lambda a: a.position)
    others = [] if truth is None else [Other(name="truth", form="column", column=truth)]
    names: dict[str, object] = {
        "source": source.relation,
        "attributes": attributes,
        "words": words,
        "others": others,
        "dictionaries": attributes,
        "is_live": False,
        "has_branch": tree.missing == "branch",
        "has_fractions": tree.missing == "fractional",
    }
    engine.make("encode/row", names=names, to="ppdt_coded")
    engine.make("tree/asked", names=names)
    return Asked(attributes=attributes, words=words, names=names)


def find_tested(tree: Tree, source: Source, truth: str | None) -> list[str]:
    """The columns that a tree tests, as the source spells them; lists every fault at once."""
    by_fold = {fold(column): column for column in source.columns}
    faults: list[str] = []
    found: list[str] = []
    for tested in tree.attributes:
        column = by_fold.get(fold(tested.name))
        if column is None:
            near = nearest(tested.name, source.columns)
            faults.append(f'"{tested.name}": the tree tests it, the source lacks it.{near}')
            continue
        found.append(column)
        family = family_of(source.columns[column])
        kin = next((kin for kin in KINDRED if tested.family in kin), None)
        if family is None or (tested.is_ordered and (kin is None or family not in kin)):
            faults.append(
                f'"{column}": the tree tests values of type {tested.type_name}, the column is of '
                f"type {source.columns[column]}. Cast it."
            )
    if truth is not None and fold(truth) not in by_fold:
        faults.append(f'target "{truth}": the source has no such column.')
    if faults:
        raise RequestError(*faults)
    return found


def _dictionary(
    engine: DuckEngine, tree: Tree, tested: Tested, column: str, source: Source, position: int
) -> Coded:
    """The codes of a column's values; `family` says how the tree tests them."""
    family = family_of(source.columns[column]) or "text"
    if not tested.is_ordered and family != "text":
        family = "enum"
    values = values_of(tree, tested)
    coded = Coded(
        position=position,
        name=column,
        type_name=source.columns[column],
        family=family,
        dictionary=f"ppdt_code_{position}",
        dictionary_alias=f"code_{position}",
        n_special=1,
        bits=max(1, (FIRST_VALUE + len(values)).bit_length()),
    )
    engine.make("encode/value", names={"source": source.relation, "attribute": coded})
    names = {"attribute": coded, "type_name": Sql(tested.type_name)}
    engine.make("tree/code", {"values": values}, names, to=f"ppdt_code_{position}")
    engine.drop("ppdt_value")
    return coded


def values_of(tree: Tree, tested: Tested) -> list[str]:
    """The values that a tree tests on a column, each once."""
    return list(
        dict.fromkeys(
            branch.value
            for node in tree.nodes
            if node.attribute == tested.name
            for branch in node.branches
            if branch.value is not None
        )
    )


def _describe(engine: DuckEngine, tree: Tree, asked: Asked) -> None:
    """The tree as relations in the codes of the relation that is asked of."""
    position_of = {tested.name: number for number, tested in enumerate(tree.attributes)}
    places = {tested.name: _places(engine, tree, tested) for tested in tree.attributes}
    grown = [Grown(number, node.counts) for number, node in enumerate(tree.nodes)]
    for node, of_tree in zip(grown, tree.nodes, strict=True):
        if of_tree.attribute is None:
            continue
        node.attribute = position_of[of_tree.attribute]
        for branch in of_tree.branches:
            place = places[of_tree.attribute].get(branch.value or "", MISSING)
            if branch.test in SIDES:
                node.at_code = place
            node.children[SIDES.get(branch.test, place)] = grown[branch.child]
    inner = [node for node in grown if not node.is_leaf]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in grown})
    engine.make("tree/frozen", to="ppdt_share")
    beliefs = [
        (number, place, count / node.total)
        for number, node in enumerate(_filled(tree))
        for place, count in enumerate(node.counts)
        if count
    ]
    params = {
        "node_ids": [row[0] for row in beliefs],
        "classes": [row[1] for row in beliefs],
        "probabilities": [row[2] for row in beliefs],
    }
    engine.make("tree/belief", params)


SIDES = {"<=": 0, ">": 1, "missing": MISSING}


def _places(engine: DuckEngine, tree: Tree, tested: Tested) -> dict[str, int]:
    """The code of every value that is tested on a column."""
    values = values_of(tree, tested)
    if not tested.is_ordered:
        return {value: FIRST_VALUE + number for number, value in enumerate(values)}
    names = {"type_name": Sql(tested.type_name)}
    rows = engine.rows("tree/place", {"values": values}, names)
    return {str(value): 1 + whole(n_below) for value, n_below in rows}


def _filled(tree: Tree) -> list[Node]:
    """The nodes; where no row was ever seen, with the counts of the node above."""
    nodes = list(tree.nodes)
    for node in nodes:
        for branch in node.branches:
            if not nodes[branch.child].total:
                nodes[branch.child] = replace(nodes[branch.child], counts=node.counts)
    return nodes
