"""Inducer: the decision tree that a method wraps, and the leaf of every cell.

ppdt_cell ──(C4.5, or a tree that is given)──▶ tree ──▶ ppdt_leaf (cell_id, leaf_id)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdt_db.coded import Coded, Encoded
from ppdt_db.engine import Engine
from ppdt_db.errors import RequestError
from ppdt_db.families import family_of, told
from ppdt_db.learn.finish import find_thresholds, finish, make_inner
from ppdt_db.learn.grow import Growth, Rules
from ppdt_db.learn.grown import Grown, whole
from ppdt_db.learn.lesson import Lesson, check_classes
from ppdt_db.learn.prune import Pruning
from ppdt_db.learn.thresholds import in_type
from ppdt_db.learn.trees import C45
from ppdt_db.learn.walk import make_leads
from ppdt_db.methods.contract import Task
from ppdt_db.names import Sql, fold, nearest
from ppdt_db.tree import Tested, Tree

SIDES = {"<=": 0, ">": 1, "missing": -1}
# What can be compared by thresholds; all that is not ordered is compared by its text.
SORTS: dict[str, str] = {
    **dict.fromkeys(["integer", "huge", "decimal", "float"], "number"),
    **dict.fromkeys(["date", "timestamp"], "moment"),
    "timestamptz": "instant",
    "time": "time",
}


@dataclass(frozen=True, kw_only=True)
class Induced:
    """A tree in values, and the same in the codes of the run; nodes have the same numbers."""

    tree: Tree
    nodes: Sequence[Grown]


def find_tree(task: Task, given: Tree | None, learner: C45) -> Induced:
    """The tree that is given, or one that is grown over the run's quasi-identifiers."""
    return induce(task, learner) if given is None else take_over(task.engine, task.encoded, given)


def induce(task: Task, learner: C45) -> Induced:
    """Grow C4.5 over the run's quasi-identifiers; a missing value takes a branch of its own."""
    encoded, engine = task.encoded, task.engine
    target = encoded.target
    assert target is not None and learner.missing == "branch"
    # Every row needs a leaf, also one whose class is NULL: here NULL is a class like any other.
    check_classes(target, target.n_codes)
    params = {"first_class": 0}
    engine.make("inducer/unit", params, {"attributes": encoded.attributes}, to="ppdt_unit")
    classes = engine.rows("tree/class", params, {"target": target})
    lesson = Lesson(
        attributes=encoded.attributes,
        target=target,
        classes=tuple("NULL" if value is None else str(value) for _, value in classes),
        n_rows=encoded.n_rows,
    )
    rules = Rules(
        criterion="ratio",
        min_rows=learner.min_rows,
        missing=learner.missing,
        keep_places=not learner.unpruned and learner.raising,
    )
    growth = Growth(engine, lesson, rules, task.progress)
    root = growth.grow()
    find_thresholds(engine, lesson, root)
    if not learner.unpruned:
        task.progress("prune", 0.0)
        Pruning(growth, learner.confidence, raising=learner.raising).prune(root)
    tree = finish(engine, lesson, root, learner.missing)
    engine.drop("ppdt_unit")
    nodes = list(root.walk())
    for number, node in enumerate(nodes):
        node.node_id = number
    return Induced(tree=tree, nodes=nodes)


def take_over(engine: Engine, encoded: Encoded, tree: Tree) -> Induced:
    """Find the values that a given tree tests among the codes of the run."""
    own = {fold(attribute.name): attribute for attribute in encoded.attributes}
    coded = {tested.name: own[fold(tested.name)] for tested in tree.attributes}
    places = {t.name: _places(engine, tree, t, coded[t.name]) for t in tree.attributes}
    grown = [Grown(number, node.counts) for number, node in enumerate(tree.nodes)]
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
    return Induced(tree=tree, nodes=grown)


def tree_faults(tree: object, quasi: Sequence[str], columns: Mapping[str, str]) -> list[str]:
    """What keeps a given tree from being one over the quasi-identifiers."""
    if not isinstance(tree, Tree):
        return [
            f"tree: {type(tree).__name__} is no tree of ours. `tree_from_sklearn` takes one over "
            "from scikit-learn, `read_tree` reads one from JSON."
        ]
    known = {fold(name): name for name in columns}
    own = {fold(name) for name in quasi}
    faults: list[str] = []
    for tested in tree.attributes:
        column = known.get(fold(tested.name))
        if column is None:
            hint = nearest(tested.name, list(columns))
            faults.append(f'tree: it tests "{tested.name}", which the source lacks.{hint}')
        elif fold(tested.name) not in own:
            faults.append(
                f'tree: it tests "{column}", which is no quasi-identifier. Name it with --qi, or '
                "grow a tree without it."
            )
        elif SORTS.get(tested.family) != SORTS.get(family_of(columns[column]) or "text"):
            faults.append(
                f'tree: it tests "{column}" as {told(tested.type_name)}, the column is '
                f"{told(columns[column])}. Cast it in a view."
            )
        elif _has_wrong_threshold(tree, tested):
            faults.append(_no_value(tested))
    return faults


def fill_leaves(task: Task, induced: Induced) -> dict[int, int]:
    """Let every cell walk to its leaf; returns the rows of every leaf that holds any."""
    engine = task.engine
    walk_down(engine, task.encoded, induced)
    uncovered = engine.count("inducer/uncovered")
    if uncovered:
        raise RequestError(
            f"tree: {uncovered:,} rows reach no leaf: it has no branch for a value of theirs, or "
            "for a missing one. Every row must lie in exactly one leaf. `ppdt learn c45 --missing "
            "branch` gives missing values a branch of their own."
        )
    sizes = engine.rows("inducer/leaf_size")
    return {whole(leaf_id): whole(n_rows) for leaf_id, n_rows in sizes}


def walk_down(engine: Engine, encoded: Encoded, induced: Induced) -> None:
    """Let every cell walk down; who finds no branch is not in `ppdt_leaf`."""
    names: dict[str, object] = {"attributes": encoded.attributes}
    # A node whose values the source lacks altogether tests something all the same.
    inner = [node for node in induced.nodes if node.attribute is not None]
    make_inner(engine, inner)
    make_leads(engine, inner, {node.node_id: node.total for node in induced.nodes})
    engine.make("inducer/entered", names=names, to="ppdt_walk")
    engine.make("inducer/leaf")
    for _ in range(depth_of(induced.tree)):
        engine.make("inducer/step", names=names, to="ppdt_stepped")
        engine.rename("ppdt_stepped", "ppdt_walk")
        engine.append("inducer/leaf", "ppdt_leaf")
    engine.drop("ppdt_walk", "ppdt_inner", "ppdt_leads")


def depth_of(tree: Tree) -> int:
    """The longest way from the root to a leaf."""
    depths = [0] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        for branch in node.branches:
            depths[branch.child] = depths[number] + 1
    return max(depths)


def _places(engine: Engine, tree: Tree, tested: Tested, attribute: Coded) -> dict[str, int | None]:
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
    rows = engine.rows("inducer/place", {"values": list(values), "places": places}, names)
    if not all(is_value for _, _, is_value in rows):
        raise RequestError(_no_value(tested))
    return {str(value): None if code is None else whole(code) for value, code, _ in rows}


def _no_value(tested: Tested) -> str:
    return f'tree: a threshold on "{tested.name}" is no {tested.type_name}. Write it in that type.'


def _has_wrong_threshold(tree: Tree, tested: Tested) -> bool:
    """Whether a threshold is no number of its type, or would lose digits on its way into it."""
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
