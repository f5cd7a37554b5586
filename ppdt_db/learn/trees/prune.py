"""Prune a grown tree as C4.5 does, by the upper limit of the expected errors.

Children first: a node becomes a leaf if that is not expected to err more (subtree replacement), or
is replaced by its heaviest branch (subtree raising). The rows of the node are routed down that
branch in the database to see the result, for many nodes in one round.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import expm1, fsum, log, sqrt
from statistics import NormalDist

from ppdt_db.learn.trees.grow import Growth
from ppdt_db.learn.trees.node import GrowingNode
from ppdt_db.learn.trees.reclassify import Rerouter, RerouteRequest, Unrouted, Walk, ids_under
from ppdt_db.tree.tree import ONE_ROW

TOLERANCE = 0.1
ROWS_OF_ROUND = 400_000


class Pruning:
    """The state of one pruning: the nodes decided, and the walks that are still valid."""

    def __init__(self, growth: Growth, confidence: float, *, raising: bool) -> None:
        lesson = growth.lesson
        self.engine = growth.engine
        self.raising = raising
        self.confidence = confidence
        self.n_classes = len(lesson.classes)
        self.walker = Rerouter(growth.engine, growth.names, self.n_classes)
        self.walks: dict[int, Walk] = {}
        self.parents: dict[int, GrowingNode] = {}
        self.decided: set[int] = set()
        self.n_walks = 0
        self.n_raised = 0
        self.n_nodes = len(growth.nodes)
        self.real: dict[int, tuple[int, list[int]]] = {}
        self.resting_nodes: dict[Unrouted, int] = {}

    def prune(self, root: GrowingNode) -> None:
        """Prune the whole tree."""
        collapse(root)
        while True:
            n_raised = self.n_raised
            wanted = self._sweep(root)
            if wanted:
                self._walk(root, wanted)
            elif self.n_raised == n_raised:
                break
        self.engine.drop("ppdt_place", "ppdt_arrived")

    # -- decisions -------------------------------------------------------------------------------

    def _sweep(self, root: GrowingNode) -> list[GrowingNode]:
        """Decide what can be decided, children first; return the nodes that need a walk."""
        nodes = list(root.walk())
        self.parents = {c.node_id: node for node in nodes for c in node.below}
        wanted: list[GrowingNode] = []
        for node in reversed(nodes):
            if node.is_leaf or node.node_id in self.decided:
                continue
            if all(child.is_leaf or child.node_id in self.decided for child in node.below):
                if self._needs_walk(node):
                    wanted.append(node)
                else:
                    self._decide(node)
        return wanted

    def _needs_walk(self, node: GrowingNode) -> bool:
        return self.raising and node.node_id not in self.walks and not largest(node).is_leaf

    def _decide(self, node: GrowingNode) -> None:
        as_leaf = self._errors([node.counts])
        as_tree = self._errors(leaf.counts for leaf in node.walk() if leaf.is_leaf)
        as_branch = float("inf")
        if self.raising:
            walk = self.walks.get(node.node_id)
            as_branch = self._errors(self._leaves_after(node, walk)) if walk else as_leaf
        if as_leaf <= as_tree + TOLERANCE and as_leaf <= as_branch + TOLERANCE:
            node.make_leaf()
        elif as_branch <= as_tree + TOLERANCE:
            self._raise(node)
            return
        self.decided.add(node.node_id)

    def _errors(self, leaves: Iterable[Sequence[int]]) -> float:
        """Return the expected errors of leaves, as rows."""
        return fsum(
            expected_errors(sum(counts), sum(counts) - max(counts), self.confidence)
            for counts in leaves
        )

    # -- raising ---------------------------------------------------------------------------------

    def _leaves_after(self, node: GrowingNode, walk: Walk) -> list[Sequence[int]]:
        """Return the leaves of a node's heaviest branch if all of the node's rows went there."""
        below = list(largest(node).walk())
        leaves: list[Sequence[int]] = [walk.passed[leaf.node_id] for leaf in below if leaf.is_leaf]
        inner = {other.node_id for other in below if not other.is_leaf}
        return leaves + [counts for (at, _), counts in walk.unrouted.items() if at in inner]

    def _raise(self, node: GrowingNode) -> None:
        """Replace a node by its heaviest branch, with all of its rows."""
        branch, walk = largest(node), self.walks[node.node_id]
        self._forget_above(node)
        left = ids_under(node)
        for child in node.below:
            for below in child.walk() if child is not branch else ():
                self.real.pop(below.node_id, None)
        node.held += [i for c in node.below if c is not branch for i in ids_under(c)]
        node.held += [branch.node_id, *branch.held]
        for below in branch.walk():
            below.counts = tuple(walk.passed[below.node_id])
        node.become(branch)
        self._add_unrouted_leaves(node, branch, walk)
        for below in node.walk():
            self.decided.discard(below.node_id)
            self.walks.pop(below.node_id, None)
            for child in below.below:
                self.parents[child.node_id] = below
        self.real[node.node_id] = (walk.walk_id, left)
        self.n_raised += 1

    def _add_unrouted_leaves(self, node: GrowingNode, branch: GrowingNode, walk: Walk) -> None:
        """Add a leaf for every value that the branch did not know before."""
        inner = {below.node_id: below for below in node.walk() if not below.is_leaf}
        inner[branch.node_id] = node
        for (node_id, code), counts in walk.unrouted.items():
            rest_id = node_id
            if node_id in inner:
                rest_id = self.n_nodes
                inner[node_id].children[code] = GrowingNode(rest_id, tuple(counts))
                self.n_nodes += 1
            self.resting_nodes[walk.walk_id, node_id, code] = rest_id

    def _forget_above(self, node: GrowingNode) -> None:
        """Drop walks that passed through a branch that has changed."""
        below, above = node, self.parents.get(node.node_id)
        while above is not None:
            if largest(above) is below:
                self.walks.pop(above.node_id, None)
            below, above = above, self.parents.get(above.node_id)

    # -- rounds ----------------------------------------------------------------------------------

    def _walk(self, root: GrowingNode, wanted: list[GrowingNode]) -> None:
        """Run the walks of the waiting nodes, and others ahead while the round has room."""
        if self.real:
            self.walker.settle(dict(self.real.values()), self.resting_nodes)
            self.real.clear()
            self.resting_nodes.clear()
        waiting = {node.node_id for node in wanted}
        ahead = [
            node
            for node in reversed(list(root.walk()))
            if not node.is_leaf
            and node.node_id not in self.decided
            and node.node_id not in waiting
            and self._needs_walk(node)
        ]
        ahead.sort(key=self._walkers)
        room = ROWS_OF_ROUND * ONE_ROW - sum(self._walkers(node) for node in wanted)
        for node in ahead:
            room -= self._walkers(node)
            if room < 0:
                break
            wanted.append(node)
        plans = [self._plan(node) for node in wanted]
        done = self.walker.run(plans)
        for node, plan in zip(wanted, plans, strict=True):
            self.walks[node.node_id] = done[plan.walk_id]

    def _walkers(self, node: GrowingNode) -> int:
        """Return the weight of the rows that would be routed."""
        return node.total - largest(node).total

    def _plan(self, node: GrowingNode) -> RerouteRequest:
        self.n_walks += 1
        return RerouteRequest(walk_id=self.n_walks, node=node, start=largest(node))


def collapse(root: GrowingNode) -> None:
    """Replace subtrees by leaves if these err no more on the training rows."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_leaf:
            continue
        in_leaves = sum(leaf.wrong for leaf in node.walk() if leaf.is_leaf)
        if in_leaves >= node.wrong - ONE_ROW // 1000:
            node.make_leaf()
        else:
            waiting += node.below


def largest(node: GrowingNode) -> GrowingNode:
    """Return the heaviest branch; the last of equal ones, as in J48."""
    code = max(node.children, key=lambda code: (node.children[code].total, code))
    return node.children[code]


@cache
def expected_errors(total: int, wrong: int, confidence: float) -> float:
    """Return the upper limit of the errors at a confidence, given the rows and the wrong ones."""
    rows, errors = total / ONE_ROW, wrong / ONE_ROW
    return errors + _added(rows, errors, confidence) if total else 0.0


def _added(rows: float, errors: float, confidence: float) -> float:
    """Return what the limit adds to the errors seen: the normal approximation with corrections."""
    if errors < 1:
        base = rows * -expm1(log(confidence) / rows)
        return base + errors * (_added(rows, 1.0, confidence) - base) if errors else base
    if errors + 0.5 >= rows:
        return max(rows - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (errors + 0.5) / rows
    spread = z * sqrt(f / rows - f * f / rows + z * z / (4 * rows * rows))
    return (f + z * z / (2 * rows) + spread) / (1 + z * z / rows) * rows - errors
