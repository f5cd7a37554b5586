"""A given tree, naively: a row of keys walks down it alone."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

Row = Sequence[tuple[int, object]]
MISSING, NOT_ABOVE, ABOVE = "missing", "not above", "above"


@dataclass
class Node:
    """A leaf, or a test of one attribute: by equality, or beside a threshold."""

    attribute: int = 0
    at: tuple[int, object] | None = None
    children: dict[Hashable, int] = field(default_factory=dict)

    def branch(self, row: Row) -> Hashable:
        key = row[self.attribute]
        if key[0] < 4:
            return MISSING
        return key if self.at is None else NOT_ABOVE if key <= self.at else ABOVE


def leaf_of(nodes: Sequence[Node], row: Row) -> int:
    number = 0
    while nodes[number].children:
        number = nodes[number].children[nodes[number].branch(row)]
    return number


def attributes_above(nodes: Sequence[Node], number: int) -> set[int]:
    for parent, node in enumerate(nodes):
        if number in node.children.values():
            return attributes_above(nodes, parent) | {node.attribute}
    return set()
