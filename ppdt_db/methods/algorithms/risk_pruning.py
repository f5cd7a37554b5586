"""Error-risk pruning: turn branches into leaves, most risk removed per added error first.

Yang, Wang, Hu, Li (2019), figure 2. When a branch is pruned only the nodes above it change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import floor

from ppdt_db.methods.algorithms.node_risk import NodeRisk

# The order of pruning: no added error first, then falling omega, depth, larger gain, node number.
Key = tuple[bool, int, int, int, int]


@dataclass(slots=True)
class RiskNode:
    """A node and the unpruned part of the branch below it."""

    depth: int
    parent: int | None
    children: list[int] = field(default_factory=list)
    n_wrong: int = 0
    n_broken: int = 0
    risk: int | None = None
    risks: list[tuple[int, int]] = field(default_factory=list)
    """A heap of the children's risks; some are out of date."""
    key: Key | None = None
    queued: Key | None = None
    """Its key in the queue, which may be an earlier one."""


class ErrorRiskPruning:
    """The tree during pruning; `broken` are the nodes that may not be a leaf."""

    def __init__(
        self, parents: Sequence[int | None], nodes: Sequence[NodeRisk], broken: set[int]
    ) -> None:
        self.nodes = nodes
        self.broken = broken
        self.pruned: list[int] = []
        self.branches: list[RiskNode] = []
        for number, parent in enumerate(parents):
            depth = 0
            if parent is not None:
                depth = self.branches[parent].depth + 1
                self.branches[parent].children.append(number)
            self.branches.append(RiskNode(depth=depth, parent=parent))
        for number in range(len(nodes) - 1, -1, -1):
            self._sum_up(number)
        self.waiting: list[Key] = []
        for number, branch in enumerate(self.branches):
            self._key(number, branch)

    def run(self) -> list[int]:
        """Prune until every leaf with rows is allowed; return the leaf above every node.

        If the root itself is broken, it is the only node left.
        """
        while self.waiting:
            key = heappop(self.waiting)
            branch = self.branches[key[-1]]
            if branch.queued != key:
                continue
            branch.queued = None
            if branch.key == key:
                self._prune(key[-1])
            elif branch.key is not None:
                self._key(key[-1], branch)
        leaf_of: list[int] = []
        for number, branch in enumerate(self.branches):
            above = None if branch.parent is None else leaf_of[branch.parent]
            is_inside = above is not None and not self.branches[above].children
            leaf_of.append(above if above is not None and is_inside else number)
        return leaf_of

    def _sum_up(self, number: int) -> None:
        """Sum up a branch from its children, or from the node if it has none."""
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

    def _key(self, number: int, branch: RiskNode) -> None:
        """Return the priority of a branch; None if it has no leaf that must go."""
        node = self.nodes[number]
        if not branch.children or not branch.n_broken:
            branch.key = None
            return
        assert node.risk is not None and branch.risk is not None, "a broken leaf has rows"
        gain, errors = node.risk - branch.risk, node.n_wrong - branch.n_wrong
        omega = floor(gain / errors + 0.5) if errors else 0
        key = branch.key = (errors != 0, -omega, -branch.depth, -gain, number)
        # Its entry must not come later than its turn.
        if branch.queued is None or key < branch.queued:
            branch.queued = key
            heappush(self.waiting, key)

    def _prune(self, number: int) -> None:
        """Turn a branch into a leaf, and update the nodes above."""
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
        has_new_risk = branch.risk != before[2]
        child = number
        while branch.parent is not None:
            number = branch.parent
            above = self.branches[number]
            above.n_wrong += wrong
            above.n_broken += broken
            has_new_risk = has_new_risk and self._replace_risk(above, child, branch.risk)
            self._key(number, above)
            branch, child = above, number

    def _replace_risk(self, above: RiskNode, child: int, risk: int | None) -> bool:
        """Store a child's new risk; return whether the minimum risk of the branch changes."""
        assert risk is not None, "a branch with rows keeps them"
        risks = above.risks
        heappush(risks, (risk, child))
        while self.branches[risks[0][1]].risk != risks[0][0]:
            heappop(risks)
        if above.risk == risks[0][0]:
            return False
        above.risk = risks[0][0]
        return True
