"""Risk: what every node of a tree tells of the people in it, and how often it errs about them.

Yang, Wang, Hu, Li (2019). Risks are whole trillionths of a bit: sums are exact, ties are ties.

tree ──▶ ppdt_above ──▶ ppdt_remaining, ppdt_class_rows ──▶ ppdt_node_risk (──▶ ppdt_branch_risk)
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ppdt_db.coded import Coded, Encoded
from ppdt_db.engine import Engine
from ppdt_db.guard import Guard, broken_groups
from ppdt_db.learn.grown import whole
from ppdt_db.names import Sql, fold
from ppdt_db.tree import Tree

ONE_BIT = 10**12


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeRisk:
    """What is known of one node; a node without rows has no risk."""

    n_rows: int
    n_wrong: int
    risk: int | None


def measure(engine: Engine, encoded: Encoded, tree: Tree) -> None:
    """Measure every node of a tree whose leaves are filled; leaves `ppdt_above`, `ppdt_node_risk`.

    `ppdt_way` stays too, for `risk/branch_risk`.
    """
    own = {fold(attribute.name): attribute for attribute in encoded.attributes}
    _describe(engine, tree, own)
    engine.make("risk/above")
    engine.make("risk/class_rows")
    engine.make("risk/none_remaining", to="ppdt_remaining")
    for tested in tree.attributes:
        attribute = own[fold(tested.name)]
        if attribute.kind == "categorical":
            names: dict[str, object] = {"attribute": attribute}
            engine.append("risk/left_values", "ppdt_remaining", names=names)
        else:
            types = {"type_name": Sql(tested.type_name), "held_type": Sql(attribute.type_name)}
            names = {"attribute": attribute, **types}
            engine.append("risk/left_steps", "ppdt_remaining", names=names)
    engine.make("risk/node_risk")
    engine.drop("ppdt_remaining", "ppdt_class_rows")


def node_risks(engine: Engine) -> list[NodeRisk]:
    """The risks of all nodes, in their order."""
    return [
        NodeRisk(
            n_rows=whole(n_rows), n_wrong=whole(n_wrong), risk=None if risk is None else whole(risk)
        )
        for n_rows, n_wrong, risk in engine.rows("risk/told")
    ]


def broken_nodes(engine: Engine, encoded: Encoded, guard: Guard) -> set[int]:
    """The nodes that hold rows, and would not keep the guarantee as leaves."""
    engine.make("risk/judged", to="ppdt_group")
    if encoded.things:
        engine.make("risk/judged_thing", to="ppdt_group_thing")
    found = broken_groups(engine, encoded, guard)
    engine.drop("ppdt_group", "ppdt_group_thing")
    return found


def parents_of(tree: Tree) -> list[int | None]:
    """The node above every node."""
    parents: list[int | None] = [None] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        for branch in node.branches:
            parents[branch.child] = number
    return parents


def _describe(engine: Engine, tree: Tree, own: dict[str, Coded]) -> None:
    """The ways of the tree as a relation."""
    attribute_ids: list[int | None] = [None] * len(tree.nodes)
    tests: list[str | None] = [None] * len(tree.nodes)
    values: list[str | None] = [None] * len(tree.nodes)
    for node in tree.nodes:
        for branch in node.branches:
            attribute_ids[branch.child] = own[fold(str(node.attribute))].position
            tests[branch.child] = branch.test
            values[branch.child] = branch.value
    params: dict[str, Sequence[object]] = {
        "node_ids": list(range(len(tree.nodes))),
        "parent_ids": parents_of(tree),
        "attribute_ids": attribute_ids,
        "tests": tests,
        "tested": values,
    }
    engine.make("risk/way", params)
