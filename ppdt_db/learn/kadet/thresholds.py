"""Thresholds on private numbers as they are released: in the middle between two groups of rows."""

from collections.abc import Sequence
from dataclasses import replace

from ppdt_db.engine import Engine
from ppdt_db.learn.grown import Grown, whole
from ppdt_db.learn.kadet_growth import Promise, private_numbers
from ppdt_db.learn.lesson import Lesson
from ppdt_db.names import listed
from ppdt_db.tree import Node, Tree


def with_midpoints(
    engine: Engine, lesson: Lesson, promise: Promise, tree: Tree, grown: Sequence[Grown]
) -> Tree:
    """The tree with thresholds on private numbers that are no value of anybody."""
    private = {a.position: a for a in private_numbers(lesson, promise)}
    cuts = {
        number: (node.attribute, node.at_code)
        for number, node in enumerate(grown)
        if node.attribute in private and node.at_code is not None
    }
    if not cuts:
        return tree
    used = sorted({(whole(position), whole(code)) for position, code in cuts.values()})
    params = listed({"attribute_ids": [a for a, _ in used], "codes": [c for _, c in used]})
    engine.make("tree/used", params)
    tested = [private[position] for position in sorted({a for a, _ in used})]
    rows = engine.rows("kadet/midpoint", names={"private": tested})
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
