"""A decision tree: its nodes, and the formats in which it is written.

Nodes are in one flat tuple, parents before children, so that no format needs recursion.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

from ppdt_db.sqltext.column_types import ORDERED, Family, family_of, is_list
from ppdt_db.sqltext.quoting import Sql
from ppdt_db.sqltext.templates import render
from ppdt_db.tree.condition import when
from ppdt_db.tree.node import Node, Way

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
    def is_set(self) -> bool:
        """Return whether its values are whole sets, each a value of its own."""
        return is_list(self.type_name)

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
class Tree:
    """A tree that was learnt or read."""

    target: str
    classes: tuple[str, ...]
    attributes: tuple[Tested, ...]
    nodes: tuple[Node, ...]
    missing: Missing = "fractional"
    ties: Ties = "first"

    @cached_property
    def arrivals(self) -> Mapping[int, tuple[int, Way]]:
        """The parent of every node but the root, and the way from there."""
        return {
            way.child: (number, way) for number, node in enumerate(self.nodes) for way in node.ways
        }

    @cached_property
    def depths(self) -> Sequence[int]:
        """The number of tests above every node."""
        found: list[int] = []
        for number in range(len(self.nodes)):
            found.append(found[self.arrivals[number][0]] + 1 if number in self.arrivals else 0)
        return found

    def without_orphans(self) -> Self:
        """Return the tree without the nodes that no way leads to, numbered anew in their order."""
        reached = [0]
        for number in reached:
            reached += self.nodes[number].children
        new = {old: number for number, old in enumerate(sorted(reached))}
        nodes = tuple(
            replace(
                self.nodes[old],
                branches=tuple(replace(b, child=new[b.child]) for b in self.nodes[old].branches),
            )
            for old in new
        )
        return replace(self, nodes=nodes)

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
            for depth, node, way in self._ways():
                child = self.nodes[way.child]
                end = "" if child.branches else f": {self._leaf(child)}"
                lines.append(f"{'|   ' * depth}{way.condition(str(node.attribute))}{end}")
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
        for number, node in enumerate(self.nodes):
            parent, way = self.arrivals.get(number, (None, None))
            share = node.counts[node.majority] / node.total if node.total else None
            values: Sequence[object] = (
                number,
                parent,
                self.depths[number],
                way.test if way else None,
                way.value if way else None,
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

    def _ways(self) -> Iterator[tuple[int, Node, Way]]:
        """Yield every way in printing order, with its depth."""
        root = self.nodes[0]
        waiting = [(0, root, way) for way in reversed(root.ways)]
        while waiting:
            depth, node, way = waiting.pop()
            yield depth, node, way
            child = self.nodes[way.child]
            waiting += [(depth + 1, child, below) for below in reversed(child.ways)]

    def _parts(self) -> Iterator[dict[str, object]]:
        """Yield the parts of the CASE expression from left to right."""
        waiting: list[tuple[int, Node, Way | None, bool]] = [(0, self.nodes[0], None, False)]
        while waiting:
            depth, node, way, is_end = waiting.pop()
            indent = Sql("    " * depth)
            if is_end:
                yield {"kind": "else", "indent": indent, "label": self.label(node)}
            elif way is not None:
                tested = self.tested(str(node.attribute))
                condition = when(tested.name, tested.type_name, way)
                yield {"kind": "when", "indent": indent, **condition}
                waiting.append((depth + 1, self.nodes[way.child], None, False))
            elif not node.branches:
                yield {"kind": "leaf", "indent": indent, "label": self.label(node)}
            else:
                yield {"kind": "case", "indent": indent}
                waiting.append((depth, node, None, True))
                waiting += [(depth, node, below, False) for below in reversed(node.ways)]


COLUMNS = (
    "node_ids", "parent_ids", "depths", "tests", "path_values", "attributes", "predictions",
    "weights", "shares",
)  # fmt: skip


def _rounded(weight: int) -> float:
    return round(weight / ONE_ROW, 2)


def _node_as_dict(node: Node) -> dict[str, object]:
    weights = [count / ONE_ROW for count in node.counts]
    if not node.branches:
        return {"weights": weights}
    branches = [{"test": b.test, "value": b.value, "node": b.child} for b in node.branches]
    return {"weights": weights, "attribute": node.attribute, "branches": branches}
