"""Turn codes into values: the thresholds of a grown tree, and the finished tree."""

from collections.abc import Sequence

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import Engine
from ppdt_db.learn.trees.node import MISSING_BRANCH, GrowingNode, as_int
from ppdt_db.learn.trees.training_set import TrainingSet
from ppdt_db.sqltext.column_types import ORDERED, family_of, is_list
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.set_names import set_name
from ppdt_db.tree.tree import Missing, Tested, Tree


def find_thresholds(engine: Engine, lesson: TrainingSet, root: GrowingNode) -> None:
    """Set every threshold to the largest value of the whole table not above its midpoint."""
    cuts = {node.node_id: node for node in root.walk() if node.at_code is not None}
    ordered = [attribute for attribute in lesson.attributes if attribute.kind == "ordered"]
    if not cuts:
        return
    make_inner(engine, list(cuts.values()))
    for node_id, at_code in engine.rows("learn/trees/threshold", names={"attributes": ordered}):
        cuts[as_int(node_id)].at_code = as_int(at_code)
    engine.drop("ppdt_inner")


# The splits of a tree: one row per inner node; at_code is NULL where every value has a branch.
INNER = {
    "node_id": "INTEGER", "attribute_id": "INTEGER", "at_code": "INTEGER", "next_code": "INTEGER",
}  # fmt: skip
# The codes whose values a tree tests.
USED = {"attribute_id": "INTEGER", "code": "INTEGER"}


def make_inner(engine: Engine, nodes: Sequence[GrowingNode], *, to: str = "ppdt_inner") -> str:
    """Store splits as a relation."""
    splits = [(node.node_id, node.attribute, node.at_code, node.next_code) for node in nodes]
    return engine.load(to, INNER, splits, is_logged=True)


def finish(engine: Engine, lesson: TrainingSet, root: GrowingNode, missing: Missing) -> Tree:
    """Return the tree in values; nodes are numbered from the root down."""
    nodes = list(root.walk())
    number_of = {id(node): number for number, node in enumerate(nodes)}
    values = _values(engine, lesson, nodes)
    by_position = {attribute.position: attribute for attribute in lesson.attributes}
    made: list[Node] = []
    for node in nodes:
        if node.attribute is None:
            made.append(Node(counts=node.counts))
            continue
        attribute = by_position[node.attribute]
        branches = tuple(
            _branch(attribute, node, code, number_of[id(child)], values)
            for code, child in _ordered_branches(node)
        )
        made.append(Node(counts=node.counts, attribute=attribute.name, branches=branches))
    tested = {node.attribute for node in nodes if node.attribute is not None}
    return Tree(
        target=lesson.target.name,
        classes=lesson.classes,
        attributes=tuple(
            Tested(
                name=attribute.name,
                type_name=attribute.type_name,
                by_name=attribute.kind != "ordered" and family_of(attribute.type_name) in ORDERED,
            )
            for attribute in lesson.attributes
            if attribute.position in tested
        ),
        nodes=tuple(made),
        missing=missing,
    )


def _ordered_branches(node: GrowingNode) -> list[tuple[int, GrowingNode]]:
    """Return a node's branches by code; the missing value's first."""
    return sorted(node.children.items())


def _values(
    engine: Engine, lesson: TrainingSet, nodes: list[GrowingNode]
) -> dict[tuple[int, int], str]:
    """Return the text of every value that is tested."""
    used: set[tuple[int, int]] = set()
    for node in nodes:
        if node.attribute is not None and node.at_code is not None:
            used.add((node.attribute, node.at_code))
        elif node.attribute is not None:
            used |= {(node.attribute, code) for code in node.children if code != MISSING_BRANCH}
    engine.load("ppdt_used", USED, sorted(used), is_logged=True)
    rows = engine.rows("learn/trees/value", names={"attributes": lesson.attributes})
    engine.drop("ppdt_used")
    of_sets = {a.position for a in lesson.attributes if is_list(a.type_name)}
    return {
        (as_int(place), as_int(code)): _written(str(value)) if place in of_sets else str(value)
        for place, code, value in rows
    }


def _written(name: str) -> str:
    """Return the name of a set as trees write it, from JSON as the engine does."""
    return set_name(from_json(name))


def _branch(
    attribute: EncodedColumn,
    node: GrowingNode,
    code: int,
    child: int,
    values: dict[tuple[int, int], str],
) -> Branch:
    if code == MISSING_BRANCH:
        return Branch(test="missing", value=None, child=child)
    if node.at_code is None:
        return Branch(test="=", value=values[attribute.position, code], child=child)
    threshold = values[attribute.position, node.at_code]
    return Branch(test=">" if code else "<=", value=threshold, child=child)
