"""Error-risk pruning: make leaves of branches, where it takes away most risk for an added error.

Yang, Li, Li (2019), figure 2. When a branch is pruned only the nodes above it change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import floor

from ppdt_db.risk import NodeRisk

# What is pruned first: whether errors are added, falling omega, deeper, larger gain, node order.
Key = tuple[bool, int, int, int, int]


@dataclass(slots=True)
class Branch:
    """A node and what lies below it, as far as it is not pruned."""

    depth: int
    parent: int | None
    children: list[int] = field(default_factory=list)
    n_wrong: int = 0
    n_broken: int = 0
    risk: int | None = None
    risks: list[tuple[int, int]] = field(default_factory=list)
    """A heap of the children's risks; some are no longer true."""
    key: Key | None = None


class ErrorRiskPruning:
    """The tree while it is pruned; `broken` are the nodes that may not be a leaf."""

    def __init__(
        self, parents: Sequence[int | None], nodes: Sequence[NodeRisk], broken: set[int]
    ) -> None:
        self.nodes = nodes
        self.broken = broken
        self.pruned: list[int] = []
        self.branches: list[Branch] = []
        for number, parent in enumerate(parents):
            depth = 0
            if parent is not None:
                depth = self.branches[parent].depth + 1
                self.branches[parent].children.append(number)
            self.branches.append(Branch(depth=depth, parent=parent))
        for number in range(len(nodes) - 1, -1, -1):
            self._sum_up(number)
        for number in range(len(nodes)):
            self._key(number)
        self.waiting = [branch.key for branch in self.branches if branch.key is not None]
        heapify(self.waiting)

    def run(self) -> list[int]:
        """Prune until every leaf with rows may be one; returns the leaf above every node.

        Where the root itself is broken it is what is left.
        """
        while self.waiting:
            key = heappop(self.waiting)
            if self.branches[key[-1]].key == key:
                self._prune(key[-1])
        leaf_of: list[int] = []
        for number, branch in enumerate(self.branches):
            above = None if branch.parent is None else leaf_of[branch.parent]
            is_inside = above is not None and not self.branches[above].children
            leaf_of.append(above if above is not None and is_inside else number)
        return leaf_of

    def _sum_up(self, number: int) -> None:
        """What a branch has, from its children, or from the node where it has none."""
        branch, node = self.branches[number], self.nodes[number]
        if not branch.children:
            branch.n_wrong, branch.risk = node.n_wrong, node.risk
            branch.n_broken = int(number in self.broken)
            return
        below = [(child, self.branches[child]) for child in branch.children]
        branch.n_wrong = sum(child.n_wrong for _, child in below)
        branch.n_broken = sum(child.n_broken for _, child in below)
        branch.risks = [(child.risk, n) for n, child in below if child.risk is not None]
        heapify(branch.risks)
        branch.risk = branch.risks[0][0] if branch.risks else None

    def _key(self, number: int) -> None:
        """The turn of a branch; None where it has no leaf that must go."""
        branch, node = self.branches[number], self.nodes[number]
        if not branch.children or not branch.n_broken:
            branch.key = None
            return
        assert node.risk is not None and branch.risk is not None, "a broken leaf has rows"
        gain, errors = node.risk - branch.risk, node.n_wrong - branch.n_wrong
        omega = floor(gain / errors + 0.5) if errors else 0
        branch.key = (errors != 0, -omega, -branch.depth, -gain, number)

    def _prune(self, number: int) -> None:
        """Make a leaf of a branch, and tell the nodes above."""
        branch = self.branches[number]
        before = (branch.n_wrong, branch.n_broken, branch.risk)
        self.pruned.append(number)
        waiting = list(branch.children)
        while waiting:
            below = self.branches[waiting.pop()]
            waiting += below.children
            below.children, below.risks, below.key = [], [], None
        branch.children, branch.risks, branch.key = [], [], None
        self._sum_up(number)
        wrong, broken = branch.n_wrong - before[0], branch.n_broken - before[1]
        child, old_risk = number, before[2]
        while (parent := self.branches[child].parent) is not None:
            above, risk = self.branches[parent], self.branches[child].risk
            above.n_wrong += wrong
            above.n_broken += broken
            old_of_child, old_risk = old_risk, above.risk
            if risk != old_of_child:
                self._replace_risk(above, child)
            old_key = above.key
            self._key(parent)
            if above.key is not None and above.key != old_key:
                heappush(self.waiting, above.key)
            child = parent

    def _replace_risk(self, above: Branch, child: int) -> None:
        """Find the least risk of a branch anew, after that of one child has changed."""
        risk = self.branches[child].risk
        assert risk is not None, "a branch with rows keeps them"
        heappush(above.risks, (risk, child))
        while self.branches[above.risks[0][1]].risk != above.risks[0][0]:
            heappop(above.risks)
        above.risk = above.risks[0][0]
