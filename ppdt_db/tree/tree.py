"""A decision tree: its nodes, and the formats in which it is written.

Nodes are in one flat tuple, parents before children, so that no format needs recursion.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ppdt_db.sqltext.column_types import ORDERED, Family, family_of
from ppdt_db.sqltext.quoting import Sql, literal
from ppdt_db.sqltext.templates import render

Test = Literal["<=", ">", "=", "missing"]
Missing = Literal["fractional", "branch"]
Ties = Literal["first", "last"]
ONE_ROW = 1_000_000
FORMAT = "ppdt tree 1"


@dataclass(frozen=True, kw_only=True)
class Tested:
    """A column that a tree may test, and its type."""

    name: str
    type_name: str
    by_name: bool = False
    """True if its values are compared as names whatever their type, such as members of sets."""

    @property
    def family(self) -> Family:
        """The family of its type."""
        return family_of(self.type_name) or "text"

    @property
    def decimals(self) -> int:
        """The digits after the decimal point of its type."""
        found = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", self.type_name)
        return int(found.group(1)) if found else 0

    @property
    def is_ordered(self) -> bool:
        """Return whether it is tested by thresholds."""
        return self.family in ORDERED and not self.by_name


@dataclass(frozen=True, kw_only=True)
class Branch:
    """One branch of a node; values are text, whatever their type."""

    test: Test
    value: str | None
    child: int


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node: the weight of each class in it, in millionths of a row, and its branches."""

    counts: tuple[int, ...]
    attribute: str | None = None
    branches: tuple[Branch, ...] = ()

    @property
    def total(self) -> int:
        """The weight of all classes."""
        return sum(self.counts)

    @property
    def ways(self) -> tuple[Branch, ...]:
        """The first branch to each child: several values may lead to one."""
        first = {branch.child: branch for branch in reversed(self.branches)}
        return tuple(first[child] for child in dict.fromkeys(b.child for b in self.branches))

    def values_to(self, child: int) -> list[str]:
        """Return the values whose branches lead to a child."""
        return [b.value for b in self.branches if b.child == child and b.value is not None]

    @property
    def majority(self) -> int:
        """The heaviest class; the first of equal ones."""
        return self.counts.index(max(self.counts))


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A tree that was learnt or read."""

    target: str
    classes: tuple[str, ...]
    attributes: tuple[Tested, ...]
    nodes: tuple[Node, ...]
    missing: Missing = "fractional"
    ties: Ties = "first"

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return sum(not node.branches for node in self.nodes)

    def label(self, node: Node) -> str:
        """Return the class that a node predicts."""
        if self.ties == "last":
            return self.classes[-1 - node.counts[::-1].index(max(node.counts))]
        return self.classes[node.majority]

    def tested(self, name: str) -> Tested:
        """Return the tested column of a name."""
        return next(attribute for attribute in self.attributes if attribute.name == name)

    # -- written down ----------------------------------------------------------------------------

    def as_text(self) -> str:
        """Return the tree as J48 prints it."""
        if not self.nodes[0].branches:
            lines = [f": {self._leaf(self.nodes[0])}"]
        else:
            lines = []
            for depth, node, branch in self._branches():
                child = self.nodes[branch.child]
                end = "" if child.branches else f": {self._leaf(child)}"
                lines.append(f"{'|   ' * depth}{_condition(node, branch)}{end}")
        leaves = f"Number of Leaves  : \t{self.n_leaves}"
        return "\n".join([*lines, "", leaves, "", f"Size of the tree : \t{len(self.nodes)}"])

    def as_json(self) -> str:
        """Return the tree as one JSON object, which `read_tree` reads."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False, allow_nan=False)

    def as_dict(self) -> dict[str, object]:
        """Return the tree in plain lists and dictionaries."""
        return {
            "format": FORMAT,
            "target": self.target,
            "classes": list(self.classes),
            "missing": self.missing,
            "ties": self.ties,
            "attributes": [
                {"name": a.name, "type": a.type_name, **({"by_name": True} if a.by_name else {})}
                for a in self.attributes
            ],
            "nodes": [_node_as_dict(node) for node in self.nodes],
        }

    def as_sql(self) -> str:
        """Return the tree as one CASE expression over its columns."""
        return str(render("lib/fragments/case", {"parts": list(self._parts())}).text)

    def as_columns(self) -> dict[str, list[object]]:
        """Return the nodes as columns of a relation."""
        columns: dict[str, list[object]] = {name: [] for name in COLUMNS}
        parents = {b.child: (i, b) for i, node in enumerate(self.nodes) for b in node.branches}
        depths: list[int] = []
        for number, node in enumerate(self.nodes):
            parent, branch = parents.get(number, (None, None))
            depths.append(0 if parent is None else depths[parent] + 1)
            share = node.counts[node.majority] / node.total if node.total else None
            values: Sequence[object] = (
                number,
                parent,
                depths[-1],
                branch.test if branch else None,
                branch.value if branch else None,
                node.attribute,
                self.label(node),
                node.total / ONE_ROW,
                share,
            )
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
        return columns

    # -- helpers ---------------------------------------------------------------------------------

    def _leaf(self, node: Node) -> str:
        wrong = node.total - max(node.counts)
        beside = f"/{_rounded(wrong)}" if wrong else ""
        return f"{self.label(node)} ({_rounded(node.total)}{beside})"

    def _branches(self) -> Iterator[tuple[int, Node, Branch]]:
        """Yield every branch in printing order, with its depth."""
        root = self.nodes[0]
        waiting = [(0, root, branch) for branch in reversed(root.ways)]
        while waiting:
            depth, node, branch = waiting.pop()
            yield depth, node, branch
            child = self.nodes[branch.child]
            waiting += [(depth + 1, child, below) for below in reversed(child.ways)]

    def _parts(self) -> Iterator[dict[str, object]]:
        """Yield the parts of the CASE expression from left to right."""
        waiting: list[tuple[int, Node, Branch | None, bool]] = [(0, self.nodes[0], None, False)]
        while waiting:
            depth, node, branch, is_end = waiting.pop()
            indent = Sql("    " * depth)
            if is_end:
                yield {"kind": "else", "indent": indent, "label": self.label(node)}
            elif branch is not None:
                yield {"kind": "when", "indent": indent, **self._when(node, branch)}
                waiting.append((depth + 1, self.nodes[branch.child], None, False))
            elif not node.branches:
                yield {"kind": "leaf", "indent": indent, "label": self.label(node)}
            else:
                yield {"kind": "case", "indent": indent}
                waiting.append((depth, node, None, True))
                waiting += [(depth, node, below, False) for below in reversed(node.ways)]

    def _when(self, node: Node, branch: Branch) -> dict[str, object]:
        assert node.attribute is not None
        type_name = self.tested(node.attribute).type_name
        values = [Sql(typed(value, type_name)) for value in node.values_to(branch.child)]
        value = values[0] if values else Sql("NULL")
        if len(values) > 1:
            value = Sql(f"({', '.join(values)})")
        return {
            "column": node.attribute,
            "test": branch.test,
            "sign": Sql("IN" if len(values) > 1 else branch.test),
            "value": value,
        }


COLUMNS = (
    "node_ids", "parent_ids", "depths", "tests", "path_values", "attributes", "predictions",
    "weights", "shares",
)  # fmt: skip


def typed(value: str, type_name: str) -> Sql:
    """Return a value stored as text in the form of its type."""
    family = family_of(type_name)
    if family in ("integer", "decimal") and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return Sql(value)
    if family is None or family in ("text", "enum"):
        return literal(value)
    names = {"value": value, "type_name": Sql(type_name)}
    return Sql(render("lib/fragments/typed", names).text)


def _condition(node: Node, branch: Branch) -> str:
    if branch.test == "missing":
        return f"{node.attribute} is missing"
    values = node.values_to(branch.child)
    if len(values) > 1:
        return f"{node.attribute} in {{{', '.join(values)}}}"
    return f"{node.attribute} {branch.test} {branch.value}"


def _rounded(weight: int) -> float:
    return round(weight / ONE_ROW, 2)


def _node_as_dict(node: Node) -> dict[str, object]:
    weights = [count / ONE_ROW for count in node.counts]
    if not node.branches:
        return {"weights": weights}
    branches = [{"test": b.test, "value": b.value, "node": b.child} for b in node.branches]
    return {"weights": weights, "attribute": node.attribute, "branches": branches}
