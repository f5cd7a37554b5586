"""The nodes of a tree while it is grown and pruned, in codes instead of values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

MISSING_BRANCH = -1
# In the input of a tree: 0 is missing, 1 what it does not know, then come the values it tests.
FIRST_VALUE = 2
SIDES = {"<=": 0, ">": 1, "missing": MISSING_BRANCH}
"""The branches of a test against a threshold; values compared by "=" have their codes."""


@dataclass(eq=False)
class GrowingNode:
    """A node; counts are millionths of a row for each class."""

    node_id: int
    counts: tuple[int, ...]
    attribute: int | None = None
    at_code: int | None = None
    next_code: int | None = None
    children: dict[int, "GrowingNode"] = field(default_factory=dict)
    held: list[int] = field(default_factory=list)
    """The numbers of a former subtree under which units still rest, beside its own."""

    @property
    def is_leaf(self) -> bool:
        """Return whether nothing is tested here."""
        return not self.children

    @property
    def below(self) -> list["GrowingNode"]:
        """Its children, each once: several codes may lead to one."""
        return list(dict.fromkeys(self.children.values()))

    @property
    def total(self) -> int:
        """The weight of all classes."""
        return sum(self.counts)

    @property
    def wrong(self) -> int:
        """The weight of all classes but the heaviest."""
        return sum(self.counts) - max(self.counts)

    def walk(self) -> Iterator["GrowingNode"]:
        """Yield all nodes from here, parents before children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.below)

    def make_leaf(self) -> None:
        """Remove everything below."""
        for node in self.walk():
            if node is not self:
                self.held += [node.node_id, *node.held]
        self.children = {}
        self.attribute = self.at_code = self.next_code = None

    def become(self, other: "GrowingNode") -> None:
        """Take over the test and the children of another node."""
        self.attribute, self.children = other.attribute, other.children
        self.at_code, self.next_code = other.at_code, other.next_code


def as_int(value: object) -> int:
    """Return a number of a step's row, which is a whole one."""
    assert isinstance(value, int)
    return value


def counts_of(rows: Sequence[tuple[object, ...]], n_classes: int) -> dict[int, tuple[int, ...]]:
    """Return rows of (node, class, weight) as one tuple of weights for each node."""
    found: dict[int, list[int]] = {}
    for node_id, target, weight in rows:
        found.setdefault(as_int(node_id), [0] * n_classes)[as_int(target)] = as_int(weight)
    return {node_id: tuple(counts) for node_id, counts in found.items()}
