"""From codes to values: the thresholds of a grown tree, and the tree that speaks in values."""

from ppdt_db.coded import Coded
from ppdt_db.engine import Engine
from ppdt_db.families import ORDERED, family_of
from ppdt_db.learn.grown import MISSING_BRANCH, Grown, whole
from ppdt_db.learn.lesson import Lesson
from ppdt_db.names import listed
from ppdt_db.tree import Branch, Missing, Node, Tested, Tree


def find_thresholds(engine: Engine, lesson: Lesson, root: Grown) -> None:
    """Let every cut stand at the largest value of the whole table not above its midpoint."""
    cuts = {node.node_id: node for node in root.walk() if node.at_code is not None}
    ordered = [attribute for attribute in lesson.attributes if attribute.kind == "ordered"]
    if not cuts:
        return
    make_inner(engine, list(cuts.values()))
    for node_id, at_code in engine.rows("tree/threshold", names={"attributes": ordered}):
        cuts[whole(node_id)].at_code = whole(at_code)
    engine.drop("ppdt_inner")


def make_inner(engine: Engine, nodes: list[Grown]) -> str:
    """Splits as a relation."""
    params = listed(
        {
            "node_ids": [node.node_id for node in nodes],
            "attribute_ids": [node.attribute for node in nodes],
            "at_codes": [node.at_code for node in nodes],
            "next_codes": [node.next_code for node in nodes],
        }
    )
    return engine.make("tree/inner", params)


def finish(engine: Engine, lesson: Lesson, root: Grown, missing: Missing) -> Tree:
    """The tree in values; nodes are numbered from the root down."""
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
            for code, child in _in_order(node)
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


def _in_order(node: Grown) -> list[tuple[int, Grown]]:
    """A node's branches by code; the missing value's first."""
    return sorted(node.children.items())


def _values(engine: Engine, lesson: Lesson, nodes: list[Grown]) -> dict[tuple[int, int], str]:
    """The text of every value that is tested."""
    used: set[tuple[int, int]] = set()
    for node in nodes:
        if node.attribute is not None and node.at_code is not None:
            used.add((node.attribute, node.at_code))
        elif node.attribute is not None:
            used |= {(node.attribute, code) for code in node.children if code != MISSING_BRANCH}
    in_order = sorted(used)
    params = listed(
        {
            "attribute_ids": [attribute for attribute, _ in in_order],
            "codes": [code for _, code in in_order],
        }
    )
    engine.make("tree/used", params)
    rows = engine.rows("tree/value", names={"attributes": lesson.attributes})
    engine.drop("ppdt_used")
    return {(whole(attribute), whole(code)): str(value) for attribute, code, value in rows}


def _branch(
    attribute: Coded, node: Grown, code: int, child: int, values: dict[tuple[int, int], str]
) -> Branch:
    if code == MISSING_BRANCH:
        return Branch(test="missing", value=None, child=child)
    if node.at_code is None:
        return Branch(test="=", value=values[attribute.position, code], child=child)
    threshold = values[attribute.position, node.at_code]
    return Branch(test=">" if code else "<=", value=threshold, child=child)
