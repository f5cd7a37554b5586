"""Route the rows of nodes down another branch, to see how it would classify them.

One round routes the rows of many nodes at once: one query of each kind for each level.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.engine import Engine
from ppdt_db.learn.trees.decode import make_inner
from ppdt_db.learn.trees.node import GrowingNode, as_int, counts_of

Unrouted = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class Walk:
    """The rows that passed every node of a branch, and those that found no branch to take."""

    walk_id: int
    passed: dict[int, list[int]] = field(default_factory=dict)
    unrouted: dict[tuple[int, int], list[int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RerouteRequest:
    """A request to route the units of a node down one of its branches."""

    walk_id: int
    node: GrowingNode
    start: GrowingNode


class Rerouter:
    """The routing of units in the database; `ppdt_place` holds the node where every unit rests.

    Units without missing values stay where they rest in the branch already: they are its residents.
    If no value is missing, all units of a branch are.
    """

    def __init__(self, engine: Engine, names: Mapping[str, object], n_classes: int) -> None:
        self.engine = engine
        self.names = names
        self.n_classes = n_classes
        self.residents: dict[int, tuple[int, ...]] = {}
        self._has_arrived = False

    def run(self, plans: Sequence[RerouteRequest]) -> dict[int, Walk]:
        """Run all requests at once."""
        walks = {plan.walk_id: Walk(walk_id=plan.walk_id) for plan in plans}
        self._find_residents(plans)
        self._describe(plans)
        self.engine.make("learn/trees/walk", names=self.names)
        if self.names["has_fractions"] or not self.engine.recurses:
            while self.engine.count("learn/trees/walking"):
                if self.names["has_fractions"]:
                    self.engine.make("learn/trees/branch_share", names=self.names)
                self.engine.make("learn/trees/moved", names=self.names)
                self.engine.rename("ppdt_moved", "ppdt_walk")
                self._arrive("learn/trees/arrived")
        else:
            self._arrive("learn/trees/walked")
        first = {"first_walk": min(walks)}
        for walk_id, node_id, branch, target, weight in self.engine.rows(
            "learn/trees/ended", first
        ):
            self._note(
                walks[as_int(walk_id)], as_int(node_id), branch, as_int(target), as_int(weight)
            )
        for plan in plans:
            self._sum_up(plan.start, walks[plan.walk_id])
        self.engine.drop("ppdt_walk", "ppdt_branch_share", "ppdt_inner", "ppdt_leads", "ppdt_under")
        return walks

    def _arrive(self, step: str) -> None:
        """Store the units whose walk has ended with those of earlier rounds."""
        if self._has_arrived:
            self.engine.append(step, "ppdt_arrived", names=self.names)
        else:
            self.engine.make(step, names=self.names, to="ppdt_arrived")
        self._has_arrived = True

    def settle(self, real: Mapping[int, Sequence[int]], unrouted: Mapping[Unrouted, int]) -> None:
        """Move the units of the walks that were carried out to the nodes where they ended.

        Units that found no branch in a walk rest in the leaf made for them.
        """
        moves: list[tuple[int, int | None, int | None, int | None]] = [
            (walk_id, None, None, None) for walk_id in real
        ]
        moves += [(*key, rest_id) for key, rest_id in unrouted.items() if key[0] in real]
        self.engine.load("ppdt_raised", RAISED, moves, is_logged=True)
        left_places = [(walk_id, rest_id) for walk_id, rests in real.items() for rest_id in rests]
        self.engine.load("ppdt_gone", GONE, left_places, is_logged=True)
        self.engine.make("learn/trees/rested")
        self.engine.rename("ppdt_rested", "ppdt_place")
        self.engine.drop("ppdt_raised", "ppdt_gone")

    def _find_residents(self, plans: Sequence[RerouteRequest]) -> None:
        """Count the classes of the residents of every node on a walk."""
        nodes = {below.node_id: below for plan in plans for below in plan.start.walk()}
        if not self.names["has_fractions"]:
            self.residents = {node.node_id: node.counts for node in nodes.values()}
            return
        rows = self.engine.rows("learn/trees/resident", names=self.names)
        at_rest = counts_of(rows, self.n_classes)
        nothing = (0,) * self.n_classes
        self.residents = {}
        for plan in plans:
            for node in reversed(list(plan.start.walk())):
                if node.node_id in self.residents:
                    continue
                parts = [at_rest.get(rest_id, nothing) for rest_id in (node.node_id, *node.held)]
                parts += [self.residents[child.node_id] for child in node.below]
                self.residents[node.node_id] = tuple(map(sum, zip(*parts, strict=True)))

    def _describe(self, plans: Sequence[RerouteRequest]) -> None:
        """Store the branches of the walks, and the units on them, as relations."""
        inner = {node.node_id: node for plan in plans for node in plan.start.walk()}
        splits = [node for node in inner.values() if not node.is_leaf]
        make_inner(self.engine, splits)
        weights = {node_id: sum(counts) for node_id, counts in self.residents.items()}
        make_leads(self.engine, splits, weights)
        under = [
            (rest_id, plan.walk_id, plan.start.node_id, child is not plan.start)
            for plan in plans
            for child in plan.node.below
            for rest_id in ids_under(child)
        ]
        self.engine.load("ppdt_under", UNDER, under, is_logged=True)

    def _note(self, walk: Walk, node_id: int, branch: object, target: int, weight: int) -> None:
        if branch is None:
            counts = walk.passed.setdefault(node_id, [0] * self.n_classes)
        else:
            counts = walk.unrouted.setdefault((node_id, as_int(branch)), [0] * self.n_classes)
        counts[target] += weight

    def _sum_up(self, start: GrowingNode, walk: Walk) -> None:
        """Sum up what passed each inner node: all that ended below it, residents included."""
        unrouted: dict[int, list[list[int]]] = {}
        for (node_id, _), counts in walk.unrouted.items():
            unrouted.setdefault(node_id, []).append(counts)
        for node in reversed(list(start.walk())):
            if not node.is_leaf:
                parts = [walk.passed[child.node_id] for child in node.below]
                parts += unrouted.get(node.node_id, [])
                walk.passed[node.node_id] = [sum(column) for column in zip(*parts, strict=True)]
            else:
                walked = walk.passed.get(node.node_id, [0] * self.n_classes)
                residents = self.residents[node.node_id]
                walk.passed[node.node_id] = [a + b for a, b in zip(walked, residents, strict=True)]


def ids_under(node: GrowingNode) -> list[int]:
    """Return every number under which units of a node may rest."""
    return [rest_id for below in node.walk() for rest_id in (below.node_id, *below.held)]


# The branches of a tree, and the weight of its own rows on each.
LEADS = {
    "node_id": "INTEGER", "branch": "INTEGER", "child_id": "INTEGER", "weight": "BIGINT",
}  # fmt: skip
# The walks that were carried out, each with NULLs; and the leaves made for units without a branch.
RAISED = {
    "walk_id": "INTEGER", "node_id": "INTEGER", "branch": "INTEGER", "rest_id": "INTEGER",
}  # fmt: skip
# The places that the units of the walks that were carried out have left.
GONE = {"walk_id": "INTEGER", "rest_id": "INTEGER"}
# The units that walk, and where they start: in each branch that might replace a node above them.
UNDER = {
    "rest_id": "INTEGER", "walk_id": "INTEGER", "start_id": "INTEGER", "is_newcomer": "BOOLEAN",
}  # fmt: skip


def make_leads(engine: Engine, nodes: Sequence[GrowingNode], weights: Mapping[int, int]) -> None:
    """Store the branches of inner nodes, with the weight of each, as a relation."""
    rows: list[tuple[int, int, int, int]] = []
    for node in nodes:
        first = {child: branch for branch, child in reversed(node.children.items())}
        rows += [
            # Where several codes lead to a child, its weight stands once.
            (node.node_id, at, child.node_id, weights[child.node_id] if first[child] == at else 0)
            for at, child in node.children.items()
        ]
    engine.load("ppdt_leads", LEADS, rows, is_logged=True)
