"""The decision tree that a method is built on, and the leaf of every cell.

ppdt_cell ──(C4.5, or a tree that is given)──▶ tree ──▶ ppdt_leaf (cell_id, leaf_id)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdt_db.cost.effort import Effort
from ppdt_db.cost.scaling import BY_CELLS
from ppdt_db.encode.columns import EncodedColumn, EncodedTable
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.decode import find_thresholds, finish, make_inner
from ppdt_db.learn.trees.grow import Growth
from ppdt_db.learn.trees.learners import C45
from ppdt_db.learn.trees.node import SIDES, GrowingNode, as_int
from ppdt_db.learn.trees.prune import Pruning
from ppdt_db.learn.trees.reclassify import make_leads
from ppdt_db.learn.trees.subsets import drop_impossible
from ppdt_db.learn.trees.thresholds import in_type
from ppdt_db.learn.trees.training_set import TrainingSet, check_classes
from ppdt_db.methods.base import Task
from ppdt_db.methods.options import option
from ppdt_db.sqltext.column_types import display_type, family_of
from ppdt_db.sqltext.quoting import Sql, by_normal_name, did_you_mean, normalize_name
from ppdt_db.tree.tree import Tested, Tree

TREE = option(help="kactus, erp, mict: tree to use (a file of `learn --json`).")
GROWING: Mapping[str, Effort] = {
    "grow": Effort(law=BY_CELLS, per_level=16, levels_per_halving=1.1, piece=1, cell_micros=0.5),
    "prune": Effort(law=BY_CELLS, per_level=12, levels_per_halving=1.0, cell_micros=1.1),
}
"""The work of growing and pruning a tree of its own."""
MIN_ROWS = option(
    help="kactus, erp, mict: rows that two branches of a split must hold. Default: 2; erp "
    "--binary: k, with --tiered half of it."
)
BINARY = option(help="erp, evaluate's c45: divide a category's values in two at every split.")
NARROW = option(help="erp --binary: of the splits that gain enough, the one that narrows most.")
# Types that can be compared with thresholds; values without an order are compared as text.
SORTS: dict[str, str] = {
    **dict.fromkeys(["integer", "huge", "decimal", "float"], "number"),
    **dict.fromkeys(["date", "timestamp"], "moment"),
    "timestamptz": "instant",
    "time": "time",
}


@dataclass(frozen=True, kw_only=True)
class TreePartition:
    """A tree in values, and the same tree in the codes of the run, with the same node numbers."""

    tree: Tree
    nodes: Sequence[GrowingNode]


def find_tree(task: Task, tree: Tree | None, learner: C45) -> TreePartition:
    """Return the tree given, or grow one over the run's quasi-identifiers."""
    return induce(task, learner) if tree is None else take_over(task.engine, task.encoded, tree)


def induce(task: Task, learner: C45) -> TreePartition:
    """Grow C4.5 over the run's quasi-identifiers; missing values get a branch of their own."""
    encoded, engine = task.encoded, task.engine
    target = encoded.target
    assert target is not None and learner.missing == "branch"
    # Every row needs a leaf, even if its class is NULL: here NULL is a class like any other.
    check_classes(target, target.n_codes)
    params = {"first_class": 0}
    engine.make(
        "methods/tree_partition/unit",
        params,
        {"attributes": encoded.attributes},
        to="ppdt_unit",
    )
    classes = engine.rows("learn/trees/class", params, {"target": target})
    lesson = TrainingSet(
        attributes=encoded.attributes,
        target=target,
        classes=tuple("NULL" if value is None else str(value) for _, value in classes),
        n_rows=encoded.n_rows,
    )
    options = learner.growth(keep_places=not learner.unpruned and learner.raising)
    growth = Growth(engine, lesson, options, task.progress)
    root = growth.grow()
    find_thresholds(engine, lesson, root)
    if not learner.unpruned:
        task.progress("prune", 0.0)
        Pruning(growth, learner.confidence, raising=learner.raising).prune(root)
    if learner.binary:
        drop_impossible(root, encoded.attributes)
    tree = finish(engine, lesson, root, learner.missing)
    engine.drop("ppdt_unit")
    nodes = list(root.walk())
    for number, node in enumerate(nodes):
        node.node_id = number
    return TreePartition(tree=tree, nodes=nodes)


def take_over(engine: Engine, encoded: EncodedTable, tree: Tree) -> TreePartition:
    """Map the values that a given tree tests to the codes of the run."""
    own = {normalize_name(attribute.name): attribute for attribute in encoded.attributes}
    coded = {tested.name: own[normalize_name(tested.name)] for tested in tree.attributes}
    places = {t.name: _places(engine, tree, t, coded[t.name]) for t in tree.attributes}
    grown = [GrowingNode(number, node.counts) for number, node in enumerate(tree.nodes)]
    for made, node in zip(grown, tree.nodes, strict=True):
        if node.attribute is None or not node.branches:
            continue
        made.attribute = coded[node.attribute].position
        for branch in node.branches:
            if branch.test == "=":
                code = places[node.attribute][str(branch.value)]
                if code is None:
                    continue
                made.children[code] = grown[branch.child]
                continue
            if branch.value is not None:
                made.at_code = places[node.attribute][branch.value]
            made.children[SIDES[branch.test]] = grown[branch.child]
    return TreePartition(tree=tree, nodes=grown)


def tree_faults(tree: object, quasi: Sequence[str], columns: Mapping[str, str]) -> list[str]:
    """Return the faults of a given tree over the quasi-identifiers."""
    if not isinstance(tree, Tree):
        return [
            f"tree: {type(tree).__name__} is not a tree of ppdt_db. `tree_from_sklearn` converts "
            "one from scikit-learn, `read_tree` reads one from JSON."
        ]
    by_fold = by_normal_name(columns)
    own = {normalize_name(name) for name in quasi}
    faults: list[str] = []
    for tested in tree.attributes:
        column = by_fold.get(normalize_name(tested.name))
        if column is None:
            hint = did_you_mean(tested.name, list(columns))
            faults.append(
                f'tree: it tests "{tested.name}", which is not a column of the source.{hint}'
            )
        elif normalize_name(tested.name) not in own:
            faults.append(
                f'tree: it tests "{column}", which is not a quasi-identifier. Add it with --qi, '
                "or grow a tree without it."
            )
        elif tested.is_set:
            faults.append(
                f'tree: it tests "{column}" by whole sets ({display_type(tested.type_name)}), but '
                "a quasi-identifier holds single values. Give a tree that was learnt from single "
                "values, or with another --conversion."
            )
        elif SORTS.get(tested.family) != SORTS.get(family_of(columns[column]) or "text"):
            faults.append(
                f'tree: it tests "{column}" as {display_type(tested.type_name)}, but the column '
                f"is {display_type(columns[column])}. Cast it in a view."
            )
        elif _has_wrong_threshold(tree, tested):
            faults.append(_no_value(tested))
    return faults


def fill_leaves(task: Task, induced: TreePartition) -> dict[int, int]:
    """Assign every cell to its leaf; return the number of rows of every leaf that has any."""
    engine = task.engine
    walk_down(engine, task.encoded, induced)
    uncovered = engine.count("methods/tree_partition/uncovered")
    if uncovered:
        raise RequestError(
            f"tree: {uncovered:,} rows reach no leaf: a value of theirs, or a missing one, has "
            "no branch. Every row must reach exactly one leaf. `ppdt learn c45 --missing "
            "branch` gives missing values a branch of their own."
        )
    sizes = engine.rows("methods/tree_partition/leaf_size")
    return {as_int(leaf_id): as_int(n_rows) for leaf_id, n_rows in sizes}


def walk_down(engine: Engine, encoded: EncodedTable, induced: TreePartition) -> None:
    """Assign cells to leaves; those that find no branch are not in `ppdt_leaf`."""
    names: dict[str, object] = {"attributes": encoded.attributes}
    # A node may test only values that the source does not contain.
    inner = [node for node in induced.nodes if node.attribute is not None]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in induced.nodes})
    engine.make("methods/tree_partition/entered", names=names, to="ppdt_descent")
    engine.make("methods/tree_partition/leaf")
    for _ in range(max(induced.tree.depths)):
        engine.make("methods/tree_partition/step", names=names, to="ppdt_next_descent")
        engine.rename("ppdt_next_descent", "ppdt_descent")
        engine.append("methods/tree_partition/leaf", "ppdt_leaf")
    engine.drop("ppdt_descent", "ppdt_inner", "ppdt_leads")


def _places(
    engine: Engine, tree: Tree, tested: Tested, attribute: EncodedColumn
) -> dict[str, int | None]:
    values = {
        branch.value: None
        for node in tree.nodes
        if node.attribute == tested.name
        for branch in node.branches
        if branch.value is not None
    }
    try:
        places, type_name = in_type(list(values), tested, attribute.type_name)
    except ValueError:
        raise RequestError(_no_value(tested)) from None
    names = {
        "attribute": attribute, "type_name": type_name, "tested_type": Sql(tested.type_name)
    }  # fmt: skip
    rows = engine.rows(
        "methods/tree_partition/place", {"values": list(values), "places": places}, names
    )
    if not all(is_value for _, _, is_value in rows):
        raise RequestError(_no_value(tested))
    return {str(value): None if code is None else as_int(code) for value, code, _ in rows}


def _no_value(tested: Tested) -> str:
    return (
        f'tree: a threshold on "{tested.name}" is not a {tested.type_name}. Write it in that type.'
    )


def _has_wrong_threshold(tree: Tree, tested: Tested) -> bool:
    """Return whether a threshold is not a number of its type, or would lose digits in it."""
    if SORTS.get(tested.family) != "number":
        return False
    form = r"-?\d+"
    if tested.family == "float":
        form += r"(\.\d+)?([eE][+-]?\d+)?"
    elif tested.decimals:
        form += rf"(\.\d{{1,{tested.decimals}}})?"
    return any(
        not re.fullmatch(form, branch.value)
        for node in tree.nodes
        if node.attribute == tested.name
        for branch in node.branches
        if branch.value is not None
    )
