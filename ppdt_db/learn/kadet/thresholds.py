"""Thresholds on private numbers as released: the midpoint between two groups of rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.learn.trees.decode import USED
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.thresholds import decimal, limits
from ppdt_db.sqltext.column_types import family_of
from ppdt_db.tree.node import Node
from ppdt_db.tree.tree import Tree

WIDEST = 38
"""The digits of the widest exact type."""


def with_midpoints(
    engine: Engine, numbers: Sequence[EncodedColumn], tree: Tree, grown: Sequence[GrowingNode]
) -> Tree:
    """Return the tree with thresholds on private numbers that are nobody's value."""
    private = {a.position: a for a in numbers}
    cuts = {
        number: (node.attribute, node.at_code)
        for number, node in enumerate(grown)
        if node.attribute in private and node.at_code is not None
    }
    if not cuts:
        return tree
    used = sorted({(as_int(position), as_int(code)) for position, code in cuts.values()})
    engine.load("ppdt_used", USED, used, is_logged=True)
    tested = [private[position] for position in sorted({a for a, _ in used})]
    rows = engine.rows("learn/kadet/midpoint", names={"private": tested})
    engine.drop("ppdt_used")
    text: dict[tuple[int, int], str] = {}
    finer: dict[str, str] = {}
    for place, code, value, low, high in rows:
        column = private[as_int(place)]
        between, type_name = str(value), column.type_name
        if low is not None:
            between, type_name = middle(as_int(low), as_int(high), column.type_name)
        text[column.position, as_int(code)] = between
        if type_name != column.type_name:
            finer[column.name] = type_name

    return retested(tree, {number: text[cut] for number, cut in cuts.items()}, finer)


def retested(tree: Tree, values: Mapping[int, str], finer: Mapping[str, str]) -> Tree:
    """Return the tree with other thresholds at some nodes, and finer types of some columns."""

    def moved(number: int, node: Node) -> Node:
        value = values.get(number)
        if value is None:
            return node
        branches = tuple(
            replace(b, value=None if b.test == "missing" else value) for b in node.branches
        )
        return replace(node, branches=branches)

    return replace(
        tree,
        nodes=tuple(moved(i, node) for i, node in enumerate(tree.nodes)),
        attributes=tuple(
            replace(one, type_name=finer.get(one.name, one.type_name)) for one in tree.attributes
        ),
    )


def middle(low: int, high: int, type_name: str) -> tuple[str, str]:
    """Return the middle of two exact numbers, in steps of their type, and the type that holds it.

    Between two neighbours there is nothing in their own type: one more digit parts them.

    >>> middle(3, 4, "INTEGER"), middle(3, 8, "INTEGER")
    (('3.5', 'DECIMAL(11,1)'), ('5', 'INTEGER'))
    >>> middle(-11, -10, "DECIMAL(4,1)")
    ('-1.05', 'DECIMAL(5,2)')
    """
    _, most, point = limits(type_name)
    width = len(str(most)) + 1
    if high - low > 1 or not has_middle(type_name):
        return decimal(low + (high - low) // 2, point), type_name
    return decimal(low * 10 + 5, point + 1), f"DECIMAL({width},{point + 1})"


def has_middle(type_name: str) -> bool:
    """Return whether something lies between any two values of a type: a number with more digits.

    >>> has_middle("BIGINT"), has_middle("DECIMAL(38,2)"), has_middle("DATE")
    (True, False, False)
    """
    family = family_of(type_name)
    if family not in ("integer", "decimal"):
        return family == "float"
    return len(str(limits(type_name)[1])) < WIDEST
