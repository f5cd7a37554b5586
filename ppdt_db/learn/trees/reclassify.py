"""Walks: the rows of a node go down another node's branch, to see what it would make of them.

One round walks for many nodes at once: one query of each kind for each step downwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppdt_db.engine import Engine
from ppdt_db.learn.finish import make_inner
from ppdt_db.learn.grown import Grown, counts_of, whole
from ppdt_db.names import listed

Stuck = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What passed every node of a branch, and what found no branch to take."""

    walk_id: int
    passed: dict[int, list[int]] = field(default_factory=dict)
    stuck: dict[tuple[int, int], list[int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The units of a node are to walk down one of its branches."""

    walk_id: int
    node: Grown
    start: Grown


class Walker:
    """Runs walks in the database; `ppdt_place` says where every unit rests.

    Units whose values are all known do not move from the branch where they rest already: they are
    its residents. With nothing missing all units of a branch are.
    """

    def __init__(self, engine: Engine, names: Mapping[str, object], n_classes: int) -> None:
        self.engine = engine
        self.names = names
        self.n_classes = n_classes
        self.residents: dict[int, tuple[int, ...]] = {}
        self._has_arrived = False

    def run(self, plans: Sequence[Plan]) -> dict[int, Walk]:
        """Walk for all plans at once."""
        walks = {plan.walk_id: Walk(walk_id=plan.walk_id) for plan in plans}
        self._find_residents(plans)
        self._describe(plans)
        self.engine.make("tree/walk", names=self.names)
        if self.names["has_fractions"] or not self.engine.recurses:
            while self.engine.count("tree/walking"):
                if self.names["has_fractions"]:
                    self.engine.make("tree/share", names=self.names)
                self.engine.make("tree/moved", names=self.names)
                self.engine.rename("ppdt_moved", "ppdt_walk")
                self._arrive("tree/arrived")
        else:
            self._arrive("tree/walked")
        first = {"first_walk": min(walks)}
        for walk_id, node_id, branch, target, weight in self.engine.rows("tree/ended", first):
            self._note(walks[whole(walk_id)], whole(node_id), branch, whole(target), whole(weight))
        for plan in plans:
            self._sum_up(plan.start, walks[plan.walk_id])
        self.engine.drop("ppdt_walk", "ppdt_share", "ppdt_inner", "ppdt_leads", "ppdt_under")
        return walks

    def _arrive(self, step: str) -> None:
        """Keep those whose walk has ended with those of former rounds."""
        if self._has_arrived:
            self.engine.append(step, "ppdt_arrived", names=self.names)
        else:
            self.engine.make(step, names=self.names, to="ppdt_arrived")
        self._has_arrived = True

    def settle(self, real: Mapping[int, Sequence[int]], stuck: Mapping[Stuck, int]) -> None:
        """Let the units of walks that became real leave the nodes given, and rest where they are.

        Who found no branch in a walk rests in the leaf that was made for it.
        """
        known: list[tuple[int, int | None, int | None, int | None]] = [
            (walk_id, None, None, None) for walk_id in real
        ]
        known += [(*key, rest_id) for key, rest_id in stuck.items() if key[0] in real]
        params = listed(
            {
                "walk_ids": [row[0] for row in known],
                "node_ids": [row[1] for row in known],
                "branches": [row[2] for row in known],
                "rest_ids": [row[3] for row in known],
            }
        )
        self.engine.make("tree/raised", params)
        gone = [(walk_id, rest_id) for walk_id, rests in real.items() for rest_id in rests]
        params = listed(
            {"walk_ids": [row[0] for row in gone], "rest_ids": [row[1] for row in gone]}
        )
        self.engine.make("tree/gone", params)
        self.engine.make("tree/rested")
        self.engine.rename("ppdt_rested", "ppdt_place")
        self.engine.drop("ppdt_raised", "ppdt_gone")

    def _find_residents(self, plans: Sequence[Plan]) -> None:
        """The classes of the residents of every node that is walked."""
        nodes = {below.node_id: below for plan in plans for below in plan.start.walk()}
        if not self.names["has_fractions"]:
            self.residents = {node.node_id: node.counts for node in nodes.values()}
            return
        rows = self.engine.rows("tree/resident", names=self.names)
        at_rest = counts_of(rows, self.n_classes)
        nothing = (0,) * self.n_classes
        self.residents = {}
        for plan in plans:
            for node in reversed(list(plan.start.walk())):
                if node.node_id in self.residents:
                    continue
                parts = [at_rest.get(rest_id, nothing) for rest_id in (node.node_id, *node.held)]
                parts += [self.residents[child.node_id] for child in node.children.values()]
                self.residents[node.node_id] = tuple(map(sum, zip(*parts, strict=True)))

    def _describe(self, plans: Sequence[Plan]) -> None:
        """The branches that are walked, and who walks, as relations."""
        inner = {node.node_id: node for plan in plans for node in plan.start.walk()}
        splits = [node for node in inner.values() if not node.is_leaf]
        make_inner(self.engine, splits)
        weights = {node_id: sum(counts) for node_id, counts in self.residents.items()}
        make_leads(self.engine, splits, weights)
        under = [
            (rest_id, plan.walk_id, plan.start.node_id, child is not plan.start)
            for plan in plans
            for child in plan.node.children.values()
            for rest_id in ids_under(child)
        ]
        params = listed(
            {
                "rest_ids": [row[0] for row in under],
                "walk_ids": [row[1] for row in under],
                "start_ids": [row[2] for row in under],
                "newcomers": [row[3] for row in under],
            }
        )
        self.engine.make("tree/under", params)

    def _note(self, walk: Walk, node_id: int, branch: object, target: int, weight: int) -> None:
        if branch is None:
            counts = walk.passed.setdefault(node_id, [0] * self.n_classes)
        else:
            counts = walk.stuck.setdefault((node_id, whole(branch)), [0] * self.n_classes)
        counts[target] += weight

    def _sum_up(self, start: Grown, walk: Walk) -> None:
        """Who passed an inner node is who ended below it; residents count as well."""
        stuck: dict[int, list[list[int]]] = {}
        for (node_id, _), counts in walk.stuck.items():
            stuck.setdefault(node_id, []).append(counts)
        for node in reversed(list(start.walk())):
            if not node.is_leaf:
                parts = [walk.passed[child.node_id] for child in node.children.values()]
                parts += stuck.get(node.node_id, [])
                walk.passed[node.node_id] = [sum(column) for column in zip(*parts, strict=True)]
            else:
                walked = walk.passed.get(node.node_id, [0] * self.n_classes)
                residents = self.residents[node.node_id]
                walk.passed[node.node_id] = [a + b for a, b in zip(walked, residents, strict=True)]


def ids_under(node: Grown) -> list[int]:
    """Everywhere that a unit of a node can rest."""
    return [rest_id for below in node.walk() for rest_id in (below.node_id, *below.held)]


def make_leads(engine: Engine, nodes: Sequence[Grown], weights: Mapping[int, int]) -> None:
    """The branches of inner nodes, and the weight that each has by itself, as a relation."""
    edges = [(node, branch, child) for node in nodes for branch, child in node.children.items()]
    params = listed(
        {
            "node_ids": [node.node_id for node, _, _ in edges],
            "branches": [branch for _, branch, _ in edges],
            "child_ids": [child.node_id for _, _, child in edges],
            "weights": [weights[child.node_id] for _, _, child in edges],
        }
    )
    engine.make("tree/leads", params)
