"""Read a tree from JSON, and check it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from ppdt_db.errors import RequestError
from ppdt_db.sqltext.column_types import element_type, family_of
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.tree.node import Branch, Node
from ppdt_db.tree.set_names import members_of
from ppdt_db.tree.tree import FORMAT, ONE_ROW, Tested, Tree

Read = TypeVar("Read")


def read_from(path: Path, read: Callable[[str], Read]) -> Read:
    """Return a function's result for the text of a file; every fault names the file."""
    try:
        with path.open("rb") as file:
            is_database = file.read(12)[8:] == b"DUCK"
        if is_database:
            raise RequestError(
                "this is a DuckDB file, not a model or a tree in JSON. If it holds the rules of a "
                "release, pass it to `ppdt apply`."
            )
        return read(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        raise RequestError(
            f"{path}: the file cannot be read. Check its name and permissions."
        ) from None
    except RequestError as error:
        raise RequestError(*(f"{path}: {fault}" for fault in error.faults)) from None


def read_tree(text: str) -> Tree:
    """Read a tree that `as_json` wrote."""
    try:
        found = from_json(text)
        tree = _from_dict(found)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise RequestError(
            f'not a tree of ppdt: expected a JSON object with "format": "{FORMAT}", target, '
            "classes, attributes and nodes; values are texts, whatever their type."
        ) from None
    if faults := _faults(tree):
        raise RequestError(*faults)
    return tree


def _from_dict(found: Mapping[str, object]) -> Tree:
    if found["format"] != FORMAT:
        raise ValueError
    nodes = []
    for entry in found["nodes"]:  # type: ignore[attr-defined]
        branches = tuple(
            Branch(test=b["test"], value=_text(b["value"]), child=_number(b["node"]))
            for b in entry.get("branches", ())
        )
        counts = tuple(round(float(weight) * ONE_ROW) for weight in entry["weights"])
        nodes.append(Node(counts=counts, attribute=entry.get("attribute"), branches=branches))
    missing = found["missing"]
    ties = found.get("ties", "first")
    if missing not in ("fractional", "branch") or ties not in ("first", "last"):
        raise ValueError
    return Tree(
        target=str(found["target"]),
        classes=tuple(str(name) for name in found["classes"]),  # type: ignore[attr-defined]
        attributes=tuple(
            Tested(name=str(a["name"]), type_name=str(a["type"]), by_name=a.get("by_name") is True)
            for a in found["attributes"]  # type: ignore[attr-defined]
        ),
        nodes=tuple(nodes),
        missing=missing,
        ties=ties,
    )


def _text(value: object) -> str | None:
    """Return a value of a test: text, whatever the column's type."""
    if value is not None and not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _faults(tree: Tree) -> list[str]:
    """Return the faults of a tree that was read."""
    known = {attribute.name: attribute for attribute in tree.attributes}
    faults = [
        f'attribute "{a.name}": type {a.type_name} cannot be tested.'
        for a in tree.attributes
        if family_of(element_type(a.type_name)) is None
    ]
    if not tree.nodes or not tree.classes:
        return [*faults, "the tree has no nodes or no classes."]
    reached: list[int] = []
    for number, node in enumerate(tree.nodes):
        where = f"node {number}"
        if len(node.counts) != len(tree.classes) or min(node.counts) < 0:
            faults.append(f"{where}: give one weight, not negative, for each class.")
        if node.branches and node.attribute not in known:
            faults.append(f"{where}: it tests a column that is not among the attributes.")
            continue
        reached += node.children
        for branch in node.branches:
            allowed: tuple[str, ...] = ("missing",)
            allowed += ("<=", ">") if known[str(node.attribute)].is_ordered else ("=",)
            if branch.test not in allowed:
                faults.append(f"{where}: a branch on this column must be one of {allowed}.")
            elif (branch.value is None) != (branch.test == "missing"):
                faults.append(f"{where}: every test but missing needs a value.")
            if not number < branch.child < len(tree.nodes):
                faults.append(f"{where}: children must come after their parents.")
        if node.branches and known[str(node.attribute)].is_set:
            faults += [f"{where}: {fault}" for fault in _set_faults(node)]
        if len({(branch.test, branch.value) for branch in node.branches}) < len(node.branches):
            faults.append(f"{where}: two branches test the same value.")
        sides = {branch.test: branch.value for branch in node.branches if branch.value is not None}
        n_sides = sum(branch.test in ("<=", ">") for branch in node.branches)
        if n_sides and (n_sides != 2 or sides.get("<=", "") != sides.get(">")):
            faults.append(f"{where}: a threshold needs one branch <= and one >, of one value.")
        if any({"<=", ">"} <= {branch.test for branch in way.branches} for way in node.ways):
            faults.append(f"{where}: both sides of its threshold lead to one node.")
    if sorted(reached) != list(range(1, len(tree.nodes))):
        faults.append("every node but the first must have exactly one parent.")
    return faults


def _set_faults(node: Node) -> list[str]:
    """Return a fault if a branch on sets does not name one."""
    try:
        for branch in node.branches:
            if branch.value is not None:
                members_of(branch.value)
    except (ValueError, RequestError):
        return [
            "a branch on sets must name one as a JSON list of its members' texts, each once, null "
            'first, then by their bytes, such as ["F", "M"].'
        ]
    return []
