"""Walks: the rows of a node go down another node's branch, to see what it would make of them.

One round walks for many nodes at once: one query of each kind for each step downwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.engine import DuckEngine
from ppdt_db.learn.finish import make_inner
from ppdt_db.learn.grown import Grown, whole


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What passed every node of a branch, and what found no branch to take."""

    walk_id: int
    passed: dict[int, list[int]] = field(default_factory=dict)
    stuck: dict[tuple[int, int], list[int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Whose units are to walk down which branch."""

    walk_id: int
    start: Grown
    resting: Sequence[Grown]


class Walker:
    """Runs walks in the database; `ppdt_place` says where every unit rests."""

    def __init__(self, engine: DuckEngine, names: Mapping[str, object], n_classes: int) -> None:
        self.engine = engine
        self.names = names
        self.n_classes = n_classes
        self._has_arrived = False

    def run(self, plans: Sequence[Plan]) -> dict[int, Walk]:
        """Walk for all plans at once."""
        walks = {plan.walk_id: Walk(walk_id=plan.walk_id) for plan in plans}
        self._describe(plans)
        self.engine.make("tree/walk", names=self.names)
        while self.engine.count("tree/walking"):
            if self.names["has_fractions"]:
                self.engine.make("tree/share", names=self.names)
            self.engine.make("tree/moved", names=self.names)
            self.engine.rename("ppdt_moved", "ppdt_walk")
            if self._has_arrived:
                self.engine.append("tree/arrived", "ppdt_arrived")
            else:
                self.engine.make("tree/arrived")
                self._has_arrived = True
        first = {"first_walk": min(walks)}
        for walk_id, node_id, branch, target, weight in self.engine.rows("tree/ended", first):
            self._note(walks[whole(walk_id)], whole(node_id), branch, whole(target), whole(weight))
        for plan in plans:
            self._sum_up(plan.start, walks[plan.walk_id])
        self.engine.drop("ppdt_walk", "ppdt_share", "ppdt_inner", "ppdt_leads", "ppdt_under")
        return walks

    def settle(
        self,
        gone: Sequence[int],
        walk_ids: Sequence[int],
        stuck: Mapping[tuple[int, int, int], int],
    ) -> None:
        """Let the units of walks that became real rest where they arrived."""
        known: list[tuple[int, int | None, int | None, int | None]] = [
            (walk_id, None, None, None) for walk_id in walk_ids
        ]
        known += [(*key, rest_id) for key, rest_id in stuck.items()]
        params = {
            "walk_ids": [row[0] for row in known],
            "node_ids": [row[1] for row in known],
            "branches": [row[2] for row in known],
            "rest_ids": [row[3] for row in known],
        }
        self.engine.make("tree/raised", params)
        self.engine.make("tree/gone", {"rest_ids": list(gone)})
        self.engine.make("tree/rested")
        self.engine.rename("ppdt_rested", "ppdt_place")
        self.engine.drop("ppdt_raised", "ppdt_gone")

    def _describe(self, plans: Sequence[Plan]) -> None:
        """The branches that are walked, and who walks, as relations."""
        inner = {node.node_id: node for plan in plans for node in plan.start.walk()}
        splits = [node for node in inner.values() if not node.is_leaf]
        make_inner(self.engine, splits)
        make_leads(self.engine, splits)
        under = [
            (rest_id, plan.walk_id, plan.start.node_id)
            for plan in plans
            for node in plan.resting
            for rest_id in (node.node_id, *node.held)
        ]
        params = {
            "rest_ids": [row[0] for row in under],
            "walk_ids": [row[1] for row in under],
            "start_ids": [row[2] for row in under],
        }
        self.engine.make("tree/under", params)

    def _note(self, walk: Walk, node_id: int, branch: object, target: int, weight: int) -> None:
        if branch is None:
            counts = walk.passed.setdefault(node_id, [0] * self.n_classes)
        else:
            counts = walk.stuck.setdefault((node_id, whole(branch)), [0] * self.n_classes)
        counts[target] += weight

    def _sum_up(self, start: Grown, walk: Walk) -> None:
        """Who passed an inner node is who ended below it."""
        stuck: dict[int, list[list[int]]] = {}
        for (node_id, _), counts in walk.stuck.items():
            stuck.setdefault(node_id, []).append(counts)
        for node in reversed(list(start.walk())):
            if not node.is_leaf:
                parts = [walk.passed.get(c.node_id, []) for c in node.children.values()]
                parts = [part for part in [*parts, *stuck.get(node.node_id, [])] if part]
                walk.passed[node.node_id] = [sum(column) for column in zip(*parts, strict=True)]


def make_leads(engine: DuckEngine, nodes: Sequence[Grown]) -> None:
    """The branches of inner nodes as a relation."""
    edges = [(node, branch, child) for node in nodes for branch, child in node.children.items()]
    params = {
        "node_ids": [node.node_id for node, _, _ in edges],
        "branches": [branch for _, branch, _ in edges],
        "child_ids": [child.node_id for _, _, child in edges],
        "weights": [child.total for _, _, child in edges],
    }
    engine.make("tree/leads", params)
