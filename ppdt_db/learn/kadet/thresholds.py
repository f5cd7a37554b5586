"""Thresholds on private numbers as released: the midpoint between two groups of rows."""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.engine import Engine
from ppdt_db.learn.kadet.grow import Promise, private_numbers
from ppdt_db.learn.trees.decode import USED
from ppdt_db.learn.trees.node import GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.tree.node import Node
from ppdt_db.tree.tree import Tree


def with_midpoints(
    engine: Engine, lesson: TrainingSet, promise: Promise, tree: Tree, grown: Sequence[GrowingNode]
) -> Tree:
    """Return the tree with thresholds on private numbers that are nobody's value."""
    private = {a.position: a for a in private_numbers(lesson, promise)}
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
    text = {(position, code): str(value) for position, code, value in rows}

    def moved(number: int, node: Node) -> Node:
        if number not in cuts:
            return node
        value = text[cuts[number]]
        branches = tuple(
            replace(b, value=None if b.test == "missing" else value) for b in node.branches
        )
        return replace(node, branches=branches)

    return replace(tree, nodes=tuple(moved(i, node) for i, node in enumerate(tree.nodes)))
