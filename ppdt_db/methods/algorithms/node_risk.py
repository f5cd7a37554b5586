"""Measure the risk of every node of a tree: what it reveals, and how often it errs.

Yang, Wang, Hu, Li (2019). Risks are whole trillionths of a bit: sums are exact, ties are ties.

tree ──▶ ppdt_way, ppdt_way_value ──▶ ppdt_above ──▶ ppdt_remaining, ppdt_class_rows
     ──▶ ppdt_node_risk (──▶ ppdt_branch_risk)
"""

from dataclasses import dataclass

from ppdt_db.encode.columns import EncodedColumn, EncodedTable
from ppdt_db.engine import Engine
from ppdt_db.learn.trees.node import as_int
from ppdt_db.methods.guard import Guard, broken_groups
from ppdt_db.sqltext.quoting import Sql, normalize_name
from ppdt_db.tree.tree import Tree

ONE_BIT = 10**12


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeRisk:
    """The figures of one node; a node without rows has no risk."""

    n_rows: int
    n_wrong: int
    risk: int | None


def measure(engine: Engine, encoded: EncodedTable, tree: Tree) -> None:
    """Measure every node of a tree with filled leaves into `ppdt_above` and `ppdt_node_risk`.

    ICR counts people: rows, or the different entities where rows have one. `ppdt_way` is kept too,
    for `methods/node_risk/branch_risk`.
    """
    own = {normalize_name(attribute.name): attribute for attribute in encoded.attributes}
    _describe(engine, tree, own)
    engine.make("methods/node_risk/above")
    engine.make("methods/node_risk/class_rows")
    engine.make("methods/node_risk/none_remaining", to="ppdt_remaining")
    for tested in tree.attributes:
        attribute = own[normalize_name(tested.name)]
        if attribute.kind == "categorical":
            names: dict[str, object] = {"attribute": attribute}
            engine.append("methods/node_risk/left_values", "ppdt_remaining", names=names)
        else:
            types = {"type_name": Sql(tested.type_name), "held_type": Sql(attribute.type_name)}
            names = {"attribute": attribute, **types}
            engine.append("methods/node_risk/left_steps", "ppdt_remaining", names=names)
    entity = next((key for key in encoded.protected_keys if key.is_entity), None)
    if entity is not None:
        engine.make("methods/node_risk/people", names={"kind": entity.kind})
    engine.make("methods/node_risk/node_risk", names={"has_entity": entity is not None})
    engine.drop("ppdt_remaining", "ppdt_class_rows", "ppdt_way_value", "ppdt_people")


def node_risks(engine: Engine) -> list[NodeRisk]:
    """Return the risks of all nodes, in their order."""
    return [
        NodeRisk(
            n_rows=as_int(n_rows),
            n_wrong=as_int(n_wrong),
            risk=None if risk is None else as_int(risk),
        )
        for n_rows, n_wrong, risk in engine.rows("methods/node_risk/told")
    ]


def broken_nodes(engine: Engine, encoded: EncodedTable, guard: Guard) -> set[int]:
    """Return the nodes with rows that would break the guarantee as leaves."""
    engine.make("methods/node_risk/judged", to="ppdt_group")
    if encoded.protected_keys:
        engine.make("methods/node_risk/judged_protected", to="ppdt_group_protected")
    found = broken_groups(engine, encoded, guard)
    engine.drop("ppdt_group", "ppdt_group_protected")
    return found


def parents_of(tree: Tree) -> list[int | None]:
    """Return the parent of every node."""
    return [tree.arrivals[n][0] if n in tree.arrivals else None for n in range(len(tree.nodes))]


# The nodes of a tree, each with its parent and the test on the way from there; NULL for the root.
# `tested` is the threshold; the values compared by equality are in a relation of their own.
WAY = {
    "node_id": "INTEGER", "parent_id": "INTEGER", "attribute_id": "INTEGER", "test": "VARCHAR",
    "tested": "VARCHAR",
}  # fmt: skip
# The values that lead to a node; NULL where missing values do.
WAY_VALUE = {"node_id": "INTEGER", "value": "VARCHAR"}


def _describe(engine: Engine, tree: Tree, own: dict[str, EncodedColumn]) -> None:
    """Store the ways of the tree as relations."""
    rows: list[tuple[int, int | None, int | None, str | None, str | None]] = []
    values: list[tuple[int, str | None]] = []
    for number in range(len(tree.nodes)):
        if number not in tree.arrivals:
            rows.append((number, None, None, None, None))
            continue
        parent, way = tree.arrivals[number]
        position = own[normalize_name(str(tree.nodes[parent].attribute))].position
        side = way.side
        test, tested = (way.test, None) if side is None else (str(side.test), side.value)
        rows.append((number, parent, position, test, tested))
        values += [(number, value) for value in way.values]
        values += [(number, None)] * way.takes_missing
    engine.load("ppdt_way", WAY, rows)
    engine.load("ppdt_way_value", WAY_VALUE, values)
